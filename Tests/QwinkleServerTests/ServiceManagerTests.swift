import Dispatch
import Foundation
import LibC
import NIOCore
import NIOPosix
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Messages to systemd.
@Suite(.bounded) struct ServiceManagerTests {
  @Test func `a server reports that it starts, serves and stops`() async throws {
    try await withManager { manager, socket, _, log in
      manager.show("Checking the database")
      #expect(await socket.next() == "STATUS=Checking the database")
      await manager.isServing(clock: VirtualClock()) { 1 }
      #expect(await socket.next() == "READY=1\nSTATUS=Serving 1 connection")
      manager.isStopping()
      #expect(await socket.next()?.hasPrefix("STOPPING=1\n") == true)
      #expect(log.lines == [])
    }
  }

  @Test func `a server that responds pings twice in the time of the watchdog`() async throws {
    try await withManager(watchdogTimeout: .seconds(60)) { manager, socket, clock, _ in
      await manager.isServing(clock: clock) { 3 }
      #expect(await socket.next()?.hasPrefix("READY=1\n") == true)
      for _ in 0..<3 {
        #expect(clock.nextDue == clock.uptime + .seconds(30))
        await clock.advance(by: .seconds(30))
        #expect(await socket.next() == "WATCHDOG=1\nSTATUS=Serving 3 connections")
      }
    }
  }

  @Test func `a server whose event loop hangs sends no ping`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (isHanging, mayContinue) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    group.next().execute {
      isHanging.signal()
      _ = mayContinue.wait(timeout: .now() + .seconds(Deadline.seconds))
    }
    try await isHanging.signalled("the event loop hangs")
    try await withManager(watchdogTimeout: .seconds(60)) { manager, socket, clock, _ in
      await manager.ping(from: group, clock: clock) { 0 }
      await clock.advance(by: .seconds(60))
      manager.show("still hanging")
      #expect(await socket.next() == "STATUS=still hanging")
      mayContinue.signal()
      #expect(await socket.next()?.hasPrefix("WATCHDOG=1\n") == true)
    }
    try await group.shutdownGracefully()
  }

  @Test func `without a watchdog no timer is set`() async throws {
    try await withManager { manager, socket, clock, _ in
      await manager.isServing(clock: clock) { 0 }
      #expect(await socket.next() == "READY=1\nSTATUS=Serving 0 connections")
      #expect(clock.nextDue == nil)
    }
  }

  @Test func `a name after @ is in the abstract namespace`() async throws {
    let name = "@qwinkle-\(getpid())"
    let socket = try DatagramSocket(at: name)
    let manager = try #require(ServiceManager(at: name, log: RecordedLog().logger))
    manager.show("abstract")
    #expect(await socket.next() == "STATUS=abstract")
  }

  @Test func `a missing service manager is logged once`() async throws {
    try await withDirectory { directory in
      let log = RecordedLog()
      let manager = try #require(ServiceManager(at: "\(directory)/missing", log: log.logger))
      for _ in 0..<3 { manager.show("nobody listens") }
      #expect(log.lines.count == 1)
      #expect(log.lines.first?.contains("\(directory)/missing: No such file or directory") == true, "\(log.lines)")
    }
  }

  @Test(arguments: ["", "/", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200)])
  func `an unusable name is logged and nothing is sent`(name: String) {
    let log = RecordedLog()
    #expect(ServiceManager(at: name, log: log.logger) == nil)
    #expect(log.lines.count == 1)
  }

  @Test func `a watchdog applies only to the process that systemd started`() {
    func timeout(_ microseconds: String?, _ process: String?) -> Duration? {
      ServiceManager.watchdogTimeout(microseconds, process: process, of: 7)
    }
    #expect(timeout("60000000", "7") == .seconds(60))
    #expect(timeout("1500000", nil) == .milliseconds(1500))
    for (microseconds, process) in [("60000000", "8"), ("0", "7"), ("-5", "7"), ("x", "7"), ("5", "y")] {
      #expect(timeout(microseconds, process) == nil)
    }
    #expect(timeout(nil, "7") == nil)
  }

  @concurrent
  private func withManager(
    watchdogTimeout: Duration? = nil,
    _ body: @Sendable (ServiceManager, DatagramSocket, VirtualClock, RecordedLog) async throws -> Void
  ) async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let log = RecordedLog()
      let socket = try DatagramSocket(at: "\(directory)/notify")
      let manager = try #require(
        ServiceManager(at: "\(directory)/notify", watchdogTimeout: watchdogTimeout, log: log.logger))
      try await body(manager, socket, VirtualClock(), log)
    }
  }
}
