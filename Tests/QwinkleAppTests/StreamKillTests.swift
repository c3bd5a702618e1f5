import Foundation
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing
import Timekeeping

/// SIGKILL at any moment while a client streams from a real `qwinkle serve`, and the wake-ups that a quiet stream
/// causes.
@MainActor
@Suite(.bounded) struct StreamKillTests {
  private static let kills = Soak.isOn ? 200 : 8
  /// The files are compared after this number of kills.
  private static let killsBetweenLooks = 4

  @Test(arguments: [Soak.seed])
  func `a client killed while streaming has the server's rows after a restart`(seed: UInt64) async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      try await program.serving("--unlimited") { url in
        let outcome = try await program.run("login", url, "--token-stdin", input: token + "\n")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let program = program.with(["TERM": "xterm-256color"])
        let writer = LiveWriter(token, at: url, seed: seed)
        for _ in 0..<50 { try await writer.act() }
        var random = SplitMix(seed: seed)
        for number in 1...Self.kills {
          let (terminal, spawned) = try await start(program)
          // Some actions precede the open stream. Most are streamed.
          for _ in 0..<Int.random(in: 0...12, using: &random) {
            try await writer.act()
            await Pace.rest(milliseconds: Int.random(in: 0...60, using: &random))
          }
          if number.isMultiple(of: Self.killsBetweenLooks) {
            try await expectEqual(program, try await writer.rows(of: .public, 40))
          }
          spawned.signal(SIGKILL)
          _ = try await spawned.waitForEnd()
          terminal.close()
          for file in program.files() where file.path.hasSuffix(".sqlite") && file.path.contains("/anna@") {
            let check = FileCheck(database: "\(program.home)/\(file.path)")
            #expect(check.problem == nil, "\(file.path): \(check.problem ?? "")")
          }
        }
        print("killed while listening: \(Self.kills) kills, \(writer.count) acts")
        await writer.close()
      }
    }
  }

  @Test func `a quiet stream wakes the program only for the server's heartbeats`() async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      try await program.serving { url in
        let outcome = try await program.run("login", url, "--token-stdin", input: token + "\n")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let (terminal, spawned) = try await start(program.with(["TERM": "xterm-256color"]))
        defer { terminal.close() }
        let writer = LiveWriter(token, at: url, seed: 6)
        await Pace.rest(milliseconds: 2000)
        try await writer.act()
        try await terminal.wait(for: "Qwink 1")
        await writer.close()
        await Pace.rest(milliseconds: 5000)
        let seconds = Soak.isOn ? 180 : 20
        // On a busy machine, threads also wait for each other and earlier work ends late.
        var wakes = Int.max
        for _ in 0..<6 where wakes > seconds {
          wakes = min(wakes, try await Self.wakes(of: spawned.processID, inSeconds: seconds))
        }
        print("a quiet stream: \(wakes) wake-ups of all threads in \(seconds) seconds")
        #expect(wakes <= seconds)
        spawned.signal(SIGTERM)
        _ = try await spawned.waitForEnd()
      }
    }
  }

  private func start(_ program: Program) async throws -> (PseudoTerminal, SpawnedProgram) {
    try program.beginInPublic()
    let terminal = try PseudoTerminal()
    let spawned = try terminal.start([Program.path], environment: program.environment, directory: program.home)
    try await terminal.waitForTimeline()
    return (terminal, spawned)
  }

  /// Waits until the public timeline on disk equals the server's.
  private func expectEqual(_ program: Program, _ expected: [String]) async throws {
    let file = try #require(
      program.files().map(\.path).first { $0.hasSuffix("/cache.sqlite") && $0.contains("/anna@") })
    let folder = "\(program.home)/\(file.dropLast("/cache.sqlite".count))"
    let cache = try TimelineCache(directory: folder, ledger: ActivityLedger())
    defer { cache.close() }
    func kept() -> [String] { cache.load(.public, limit: 40).rows.map { LiveClient.words($0.qwink) } }
    try await wait(
      for: "the server's rows on disk", every: .milliseconds(100), showing: { kept().joined(separator: "\n") },
      until: { kept() == expected })
  }

  /// Returns the number of wake-ups of all threads of a process. Threads that end during the measurement don't count.
  private static func wakes(of process: Int32, inSeconds seconds: Int) async throws -> Int {
    let before = switches(of: process)
    try #require(!before.isEmpty)
    await Pace.rest(milliseconds: 1000 * seconds)
    return switches(of: process).reduce(0) { $0 + max(0, $1.value - (before[$1.key] ?? 0)) }
  }

  /// Returns the number of voluntary context switches of each thread of a process.
  private static func switches(of process: Int32) -> [String: Int] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.reduce(into: [:]) { counts, thread in
      let status = (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      counts[thread] = line?.split { $0.isWhitespace }.last.flatMap { Int($0) } ?? 0
    }
  }
}
