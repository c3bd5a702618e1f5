import Dispatch
import Foundation
import Synchronization
import Testing
import Timekeeping

@testable import QwinkleServer

/// Keeps lines that any thread adds.
final class Lines: Sendable {
  private let kept = Mutex<[String]>([])
  var all: [String] { kept.withLock { $0 } }
  func add(_ line: String) { kept.withLock { $0.append(line) } }
}

/// Runs `body` with a served service and its front.
@concurrent
func withServedFront(
  origin: String? = nil, limits: FrontLimits = FrontLimits(), budget: ReadBudget = ReadBudget(),
  passwordCost: PasswordHash.Cost = .init(logRounds: 4), trustedProxies: [String] = [],
  terms: ServiceTerms = ServiceTerms(), log: KeptLog = KeptLog(),
  lines: Lines = Lines(),
  _ body: @escaping @Sendable (Harness, HTTPFront) async throws -> Void
) async throws {
  try await withDirectory { directory in
    let clock = VirtualClock()
    let service = try Service(
      directory: directory, welcome: "", owner: "", clock: clock, passwordCost: passwordCost, budget: budget,
      use: .served, terms: terms, log: log.logger)
    let front = HTTPFront(
      service: service, host: "127.0.0.1", port: 0, origin: origin, trustedProxies: trustedProxies, log: log.logger,
      accessLog: { lines.add($0) }, limits: limits)
    let (ports, running) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { running.finish() }
        try await front.run { running.yield($0) }
      }
      for await port in ports {
        try await body(
          Harness(
            service: service, transport: URLSessionTransport(), authority: "127.0.0.1:\(port)", directory: directory,
            clock: clock), front)
        break
      }
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}

extension Harness {
  /// The port of the HTTP front.
  var port: Int { authority.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
}

extension DispatchSemaphore {
  /// Waits on a thread of its own.
  func signalled() async {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        self.wait()
        done.resume()
      }
    }
  }
}
