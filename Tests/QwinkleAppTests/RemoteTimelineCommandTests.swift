import ArgumentParser
import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp

/// `qwinkle timeline` with a timeline of another server.
@MainActor
@Suite(.bounded) struct RemoteTimelineCommandTests {
  nonisolated private static func qwink(_ id: String, by name: String, _ text: String) -> Qwink {
    var qwink = Qwink.sample(id: .init(id), text: text, author: .sample(name, id: .init("9\(id)")))
    qwink.url = "https://social.example/@\(name)/p\(id.suffix(1))"
    return qwink
  }

  /// Runs a command and returns its outcome and the requests. The user mutes ben@social.example.
  private func run(
    _ arguments: [String], status: Int = 200
  ) async throws -> (outcome: CommandHarness.Outcome, requests: [TransportRequest]) {
    let transport = ScriptedTransport { request in
      let path = String((request.head.path ?? "").prefix { $0 != "?" })
      switch path {
      case "/api/v2/instance":
        return .json(
          WireEncoder.serverInfoV2(ServerInfo(title: "Any", domain: request.head.authority ?? "", version: "4.3.0")))
      case "/api/v1/mutes":
        return .json(WireEncoder.qwinkers([Qwinker(id: "7", userName: "ben", handle: "Ben@social.example")]))
      case _ where path.hasPrefix("/api/v1/timelines/") && request.head.authority == "social.example":
        guard status == 200 else { return .json(WireEncoder.error("Members only"), status: status) }
        let isNewest = request.head.path?.contains("max_id") == false
        let qwinks = [Self.qwink("77001", by: "anna", "Far away"), Self.qwink("77002", by: "ben", "Hidden")]
        return .json(WireEncoder.qwinks(isNewest ? qwinks : []))
      default: return .json(Array("[]".utf8))
      }
    }
    let harness = CommandHarness(transport: { transport })
    harness.hasOthers = true
    return (try await harness.run(arguments), transport.requests)
  }

  private func paths(_ requests: [TransportRequest], on host: String) -> [String] {
    requests.filter { $0.head.authority == host }.compactMap(\.head.path)
  }

  @Test(arguments: [
    (["timeline", "social.example/local"], "public?local=true&limit=20"),
    (["timeline", "--from", "social.example"], "public?local=true&limit=20"),
    (["timeline", "--from", "https://social.example/", "public"], "public?limit=20"),
    (["timeline", "--from", "social.example", "#garden"], "tag/garden?limit=20"),
  ])
  func `another server's timeline is printed with addresses and without hidden users`(
    arguments: [String], path: String
  ) async throws {
    let (outcome, requests) = try await run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Far away") && outcome.output.contains("@anna@social.example"))
    #expect(outcome.output.contains("https://social.example/@anna/p1") && !outcome.output.contains("77001"))
    #expect(!outcome.output.contains("Hidden"), "\(outcome.output)")
    let there = paths(requests, on: "social.example")
    #expect(there == ["/api/v2/instance", "/api/v1/timelines/\(path)"], "\(there)")
    for request in requests where request.head.authority == "social.example" {
      #expect(request.field("Authorization") == nil && request.head.method == .get)
    }
    #expect(!paths(requests, on: "writing.example").contains { $0.contains("7700") })
  }

  @Test func `JSON has addresses as ids, which other commands accept`() async throws {
    let (outcome, _) = try await run(["timeline", "social.example/local", "--json"])
    let items = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(items.map { $0["id"] as? String } == ["https://social.example/@anna/p1"])
    #expect((items.first?["account"] as? [String: Any])?["acct"] as? String == "anna@social.example")
    #expect(!outcome.output.contains("7700"), "\(outcome.output)")
  }

  @Test func `the user's own server is read as usual`() async throws {
    let (outcome, requests) = try await run(["timeline", "writing.example/local"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let asked = requests.filter { $0.head.path?.hasPrefix("/api/v1/timelines/") == true }
    #expect(asked.map(\.head.authority) == ["writing.example"])
    #expect(asked.allSatisfy { $0.field("Authorization") != nil })
  }

  @Test(arguments: [401, 404, 422])
  func `a server that refuses visitors is an error`(status: Int) async throws {
    let (outcome, _) = try await run(["timeline", "social.example/local"], status: status)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("social.example shows its local timeline to its members only."), "\(outcome.errors)")
  }

  @Test func `a server in a local network isn't asked`() async throws {
    let (outcome, requests) = try await run(["timeline", "192.168.1.7/local"])
    #expect(outcome.status == 1 && outcome.errors.contains("192.168.1.7 can't be read"), "\(outcome.errors)")
    #expect(!requests.contains { $0.head.authority == "192.168.1.7" })
  }

  @Test(arguments: [
    ["timeline", "--from", "nowhere"], ["timeline", "--from", "social.example", "home"],
    ["timeline", "social.example/local", "--translate", "de"],
  ])
  func `a wrong server or timeline is a usage error`(arguments: [String]) {
    #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
  }
}
