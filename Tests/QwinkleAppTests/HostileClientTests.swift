import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Hostile clients, and well-behaved clients that use the server at the same time.
@Suite(.serialized, .bounded) struct HostileClientTests {
  /// Measurements of a server over a period.
  private struct Measured {
    var reads: QuietClient.Log
    var writes: QuietClient.Log
    /// Peak resident memory of the server, in bytes.
    var memory: Int

    var failures: [String] { reads.failures + writes.failures }
  }

  /// Measurements of a server, first while the attackers attack another server that discards everything, then while
  /// they attack this server.
  private struct Comparison {
    /// In milliseconds. Shorter times count as equal because of the machine's noise.
    private static let floor = 2.0

    var name: String
    var quiet: Measured
    var loud: Measured
    var connectionCount: Int
    var statuses: [Int: Int]

    var grownMegabytes: Int { (loud.memory - quiet.memory) >> 20 }
    var readRatio: Double { loud.reads.late / max(quiet.reads.late, Self.floor) }
    var writeRatio: Double { loud.writes.late / max(quiet.writes.late, Self.floor) }
    var isFair: Bool { readRatio <= 2 && writeRatio <= 3 }

    var row: String {
      let times = [(quiet.reads, loud.reads, readRatio), (quiet.writes, loud.writes, writeRatio)].map {
        "\(Self.column($0.0.late))\(Self.column($0.1.late))\(Self.column($0.2))"
      }
      let answers = statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
      return "\(HostileClientTests.padded(name))\(times.joined())\(Self.column(Double(grownMegabytes)))  "
        + "\(connectionCount) connections" + (answers.isEmpty ? "" : ", \(answers)")
    }

    private static func column(_ number: Double) -> String { String(format: "%9.1f", number) }
  }

  private static let header =
    padded("hostile clients, p99 in ms:") + "   read quiet, loud, ratio   write quiet, loud, ratio       MB"

  private static func padded(_ text: String) -> String { text.padding(toLength: 46, withPad: " ", startingAt: 0) }

  @Test(arguments: [Soak.seed])
  func `a hostile client neither slows other clients nor fills the server's memory`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let clients = Soak.isOn ? HostileClient.all : Array(HostileClient.all.shuffled(using: &random).prefix(3))
    try await Program.inNewHome { program in
      let target = try await program.makeHostileTarget(people: 60, replies: 250)
      print(Self.header)
      for client in clients {
        var isFair = false
        // Other load on the machine may slow a round.
        for _ in 0..<3 where !isFair {
          let comparison = try await Self.compare(client, target, program)
          print(comparison.row)
          #expect(comparison.connectionCount > 0, "\(client.name)")
          #expect(comparison.quiet.failures == [], "\(client.name), quiet")
          #expect(comparison.loud.failures == [], "\(client.name)")
          #expect(comparison.grownMegabytes <= 64, "\(client.name)")
          // Outside a soak, other tests run at the same time.
          isFair = comparison.isFair || !Soak.isOn
        }
        #expect(isFair, "\(client.name)")
      }
    }
  }

  /// Measures both on a new server with a copy of the data.
  private static func compare(
    _ client: HostileClient, _ target: HostileTarget, _ program: Program
  ) async throws -> Comparison {
    try Shell.output(of: "rm -rf \(program.home)/copy && cp -a \(program.home)/data \(program.home)/copy")
    let duration = Duration.seconds(Soak.isOn ? 20 : 2)
    let discarding = try await DiscardingServer.start()
    let served = try await program.startServing(["--posts-a-minute", "1000"] + client.serverArguments, data: "copy")
    _ = await measure(served, target, .milliseconds(300))
    let harmless = Attack([client], port: discarding.port, target: target)
    let quiet = await measure(served, target, duration)
    await harmless.end()
    await discarding.stop()

    let attack = Attack([client], port: served.port, target: target)
    let loud = await measure(served, target, duration)
    await attack.end()
    let outcome = try await served.process.stop()
    #expect(outcome.status == 0, "\(client.name): \(outcome.errors)")
    return Comparison(
      name: client.name, quiet: quiet, loud: loud, connectionCount: attack.connectionCount,
      statuses: attack.statuses)
  }

  private static func measure(
    _ served: Program.Served, _ target: HostileTarget, _ duration: Duration
  ) async -> Measured {
    let process = served.process.processID
    async let reads = RawClient.onThread { QuietClient.read(served.port, for: duration) }
    async let writes = RawClient.onThread { QuietClient.write(served.port, target, for: duration) }
    async let memory = RawClient.onThread { Self.peakMemory(of: process, for: duration) }
    return await Measured(reads: reads, writes: writes, memory: memory)
  }

  /// Returns the peak resident memory of a process during `duration`, in bytes.
  private static func peakMemory(of process: Int32, for duration: Duration) -> Int {
    let end = ContinuousClock.now + duration
    var peak = 0
    while ContinuousClock.now < end {
      peak = max(peak, ProcessList.memory(of: process) ?? 0)
      Attack.pause(milliseconds: 20)
    }
    return peak
  }

  @Test func `an app can register, sign in and post while fifty addresses misbehave`() async throws {
    try await Program.inNewHome { program in
      let target = try await program.makeHostileTarget(people: 4, replies: 4)
      let served = try await program.startServing()
      let attack = Attack(HostileClient.crowd, port: served.port, target: target)
      // By then the attackers have reached all limits.
      let answers = Soak.isOn ? 20_000 : 2000
      let patience = Duration.seconds(Soak.isOn ? 600 : 60)
      let haveReached: ()? = try? await wait(for: "\(answers) answers", within: patience, every: .milliseconds(50)) {
        attack.statuses.values.reduce(0, +) >= answers
      }
      #expect(haveReached != nil, "\(attack.statuses)")
      for number in 0..<Soak.runs(3, times: 10) {
        let posted = await RawClient.onThread {
          Result { try Self.signIn(from: "127.0.0.\(10 + number)", at: served.port) }
        }
        if case .failure(let error) = posted { Issue.record(error, "sign-in \(number)") }
      }
      await attack.end()
      print("hostile crowd: \(attack.connectionCount) connections, \(attack.statuses)")
      let outcome = try await served.process.stop()
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  /// Registers an app, signs in as anna and posts.
  private static func signIn(from source: String, at port: Int) throws {
    let client = BlockingClient { try RawClient(port: port, from: source) }
    let app = try client.values(
      ["client_id", "client_secret"], of: HostileTarget.registration("App at \(source)"))
    let page = try client.response(to: RequestText.get(HostileTarget.signInPage(of: app[0])))
    let cookie = page.head.firstMatch(of: #/(?i)set-cookie: ([^;]*)/#).map { "Cookie: \($0.output.1)" } ?? ""
    let form: [Browser.Field] =
      Browser.hiddenFields(of: String(decoding: page.body, as: UTF8.self))
      + [("name", "anna"), ("password", HostileTarget.password), ("answer", "allow")]
    let shown = try client.text(of: RequestText.post("/oauth/authorize", form, fields: [cookie]))
    guard let code = shown.firstMatch(of: #/<code[^>]*>([^<]+)</code>/#)?.output.1 else {
      throw BlockingClient.Refused(response: shown)
    }
    let exchange: [Browser.Field] = [
      ("grant_type", "authorization_code"), ("client_id", app[0]), ("client_secret", app[1]),
      ("code", String(code)), ("redirect_uri", "urn:ietf:wg:oauth:2.0:oob"),
    ]
    let token = try client.value("access_token", of: RequestText.post("/oauth/token", exchange))
    let post = RequestText.post("/api/v1/statuses", [("status", "Posted from \(source)")], token: token)
    _ = try client.value("id", of: post)
  }
}
