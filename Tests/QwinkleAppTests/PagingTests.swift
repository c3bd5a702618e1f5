import Foundation
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Lists longer than a server's page, and time ranges.
@Suite(.bounded) struct PagingTests {
  /// A timeline of qwinks `count`…1, one minute apart, in pages with Mastodon's Link headers.
  private static func timeline(_ count: Int, isLinked: Bool = true) -> @Sendable (ScriptedServer.Request) -> Script {
    { request in
      guard Answers.isTimeline(request) else { return .json(Array("{}".utf8), status: 404) }
      let start = value("max_id", in: request.path) ?? count + 1
      let size = value("limit", in: request.path) ?? 20
      let ids = (1..<max(start, 1)).reversed().prefix(size)
      let page = "[\(ids.map { status($0) }.joined(separator: ","))]"
      let next = ids.last.map { "</api/v1/timelines/public?limit=\(size)&max_id=\($0)>; rel=\"next\"" }
      let fields = isLinked && ids.last != 1 ? next.map { [("Link", $0)] } ?? [] : []
      return .json(Array(page.utf8), fields: fields)
    }
  }

  private static func value(_ name: String, in path: String) -> Int? {
    path.split { "?&".contains($0) }.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// Returns status `id`, posted `id` minutes after midnight of 1 January 2026, GMT.
  private static func status(_ id: Int) -> String {
    let time = "2026-01-01T\(String(format: "%02d:%02d", id / 60, id % 60)):00.000Z"
    return Answers.status("\(id)", "<p>qwink \(id).</p>").replacing(
      #/"created_at":"2026-01-01T00:00:0..000Z",\s*"visibility"/#, with: "\"created_at\":\"\(time)\",\"visibility\"")
  }

  /// Returns the ids of the statuses printed as JSON, or nil if the output isn't an array of objects.
  private func ids(_ outcome: ChildProcess.Outcome) -> [Int]? {
    let items = try? JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]]
    return items?.compactMap { ($0["id"] as? String).flatMap { Int($0) } }
  }

  private func run(
    _ script: @escaping @Sendable (ScriptedServer.Request) -> Script, _ arguments: String...,
    body: (ChildProcess.Outcome, ScriptedServer) throws -> Void
  ) async throws {
    try await withServer(script) { server in
      try await Program.inNewHome { program in
        try body(try await program.run(arguments + ["--server", server.url]), server)
      }
    }
  }

  // MARK: Pages

  @Test func `a limit larger than a page follows the server's links`() async throws {
    try await run(Self.timeline(500), "timeline", "public", "--limit", "100", "--json") { outcome, server in
      #expect(ids(outcome) == Array((401...500).reversed()))
      #expect(server.requests.count == 3, "\(server.requests.map(\.path))")
    }
    try await run(Self.timeline(500), "timeline", "public", "--limit", "85") { outcome, server in
      #expect(outcome.text.contains("qwink 416.") && !outcome.text.contains("qwink 415."))
      #expect(outcome.status == 0 && server.requests.count == 3)
    }
    try await run(Self.timeline(500), "timeline", "public", "--limit", "5") { outcome, server in
      #expect(server.requests.map(\.path) == ["/api/v1/timelines/public?limit=5"])
    }
  }

  @Test func `a list shorter than the limit is printed completely`() async throws {
    try await run(Self.timeline(43), "timeline", "public", "--limit", "100", "--json") { outcome, server in
      #expect(outcome.status == 0 && outcome.errors == "")
      #expect(ids(outcome) == Array((1...43).reversed()))
      #expect(server.requests.count == 2)
    }
  }

  @Test func `without Link headers paging continues by id until a short page`() async throws {
    try await run(Self.timeline(19, isLinked: false), "timeline", "public", "--limit", "100", "--json") {
      #expect(ids($0)?.count == 19 && $1.requests.count == 1)
    }
    try await run(Self.timeline(90, isLinked: false), "timeline", "public", "--limit", "100", "--json") {
      #expect(ids($0) == Array((1...90).reversed()))
      #expect($1.requests.count <= 4)
    }
  }

  @Test func `paging ends if the server repeats a page`() async throws {
    let page = "[\((1...40).reversed().map { Self.status($0) }.joined(separator: ","))]"
    let script: @Sendable (ScriptedServer.Request) -> Script = { _ in
      .json(Array(page.utf8), fields: [("Link", "</api/v1/timelines/public?limit=40&max_id=1>; rel=\"next\"")])
    }
    try await run(script, "timeline", "public", "--limit", "200", "--json") { outcome, server in
      #expect(outcome.status == 0)
      #expect(ids(outcome)?.count == 40 && server.requests.count < 8, "\(server.requests.count)")
    }
  }

  @Test func `a failed page is an error after the earlier pages are printed`() async throws {
    let good = Self.timeline(500)
    let script: @Sendable (ScriptedServer.Request) -> Script = { request in
      request.path.contains("max_id") ? .json(Array(#"{"error":"no"}"#.utf8), status: 500) : good(request)
    }
    try await run(script, "timeline", "public", "--limit", "50") { outcome, _ in
      #expect(outcome.status == 1 && outcome.errorLines.count == 1 && outcome.text.contains("qwink 461."))
    }
    // A partial array would be mistaken for the whole list.
    try await run(script, "timeline", "public", "--limit", "50", "--json") { outcome, _ in
      #expect(outcome.status == 1 && outcome.output.isEmpty)
    }
  }

  @Test func `a search continues by offset for each kind with more results`() async throws {
    let accounts = (1...50).map { Answers.account("garda\($0)") }
    let script: @Sendable (ScriptedServer.Request) -> Script = { request in
      let offset = Self.value("offset", in: request.path) ?? 0
      let page = accounts.dropFirst(offset).prefix(40).joined(separator: ",")
      return .json(Array(#"{"accounts":[\#(page)],"statuses":[\#(Self.status(3))],"hashtags":[]}"#.utf8))
    }
    try await withServer(script) { server in
      try await Program.inNewHome { program in
        let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
        let outcome = try await signedIn.run("search", "garda", "--limit", "45", "--json", "--server", server.url)
        let found = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: [[String: Any]]]
        #expect(found?["accounts"]?.count == 45 && found?["statuses"]?.count == 1, "\(outcome.errors)")
        #expect(server.requests.count == 2 && server.requests.last?.path.contains("type=accounts") == true)
        // Servers refuse an offset unless the user is signed in.
        let signedOut = try await program.run("search", "garda", "--limit", "45", "--server", server.url)
        #expect(signedOut.status == 0 && server.requests.count == 3)
      }
    }
  }

  // MARK: Times

  @Test func `a range includes its start and excludes its end`() async throws {
    let range = ["--since", "2026-01-01T01:40Z", "--until", "2026-01-01T02:00:00+00:00"]
    try await run(Self.timeline(300), "timeline", "public", "--json", range[0], range[1], range[2], range[3]) {
      #expect(ids($0) == Array((100..<120).reversed()), "\($0.errors)")
      // Fetching ends with the first page that is entirely older: 300…261, …, 100…61, 60…21.
      #expect($1.requests.count <= 7, "\($1.requests.count)")
    }
    try await run(Self.timeline(300), "timeline", "public", "--json", "--since", "2026-01-01T04:58Z") {
      #expect(ids($0) == [300, 299, 298])
      #expect($1.requests.count == 2)
    }
    try await run(Self.timeline(300), "timeline", "public", "--since", "1m") {
      #expect($0.status == 0 && $0.output.isEmpty && $1.requests.count == 1)
    }
  }

  @Test func `times in a pipe are absolute and have a zone`() async throws {
    try await withServer(Self.timeline(61)) { server in
      try await Program.inNewHome { program in
        let east = program.with(["TZ": "XYZ-05:30"])
        let outcome = try await east.run("timeline", "public", "--limit", "1", "--server", server.url)
        #expect(outcome.text.contains("@alice  2026-01-01T06:31:00+05:30  61\n"), "\(outcome.text)")
        // A time without a zone is local. A date alone is local midnight.
        let later = try await east.run(
          "timeline", "public", "--json", "--since", "2026-01-01T06:30", "--server", server.url)
        #expect(ids(later) == [61, 60])
        let none = try await east.run("timeline", "public", "--json", "--until", "2026-01-01", "--server", server.url)
        #expect(none.status == 0 && none.text == "[]\n", "\(none.text)")
      }
    }
  }

  @Test(.needsTmux) func `times on a terminal are relative`() async throws {
    try await Program.inNewHome { program in
      let script = #""$0" timeline public --limit 1; echo "status $?""#
      try await program.onTerminal(command: ["/bin/sh", "-c", script, Program.path]) { terminal in
        let screen = try await terminal.wait(for: "status 0")
        #expect(screen.contains("now  "), "\(screen)")
      }
    }
  }

  @Test func `a time is ISO 8601 or an age`() throws {
    let now = Date(timeIntervalSince1970: 1_767_225_600)
    let zone = ClockZone { _ in 3600 }
    let times: [(String, TimeInterval)] = [
      ("0s", 0), ("45m", -2700), ("2h", -7200), ("3d", -259_200), ("1w", -604_800), ("2026-01-01", -3600),
      ("2026-01-01T00:00Z", 0), ("2026-01-01T01:00", 0), ("2026-01-01 01:00:30", 30),
      ("2026-01-01T00:00:00-02:00", 7200),
    ]
    for (text, seconds) in times {
      #expect(TimeRange.time(text, at: now, in: zone) == now.addingTimeInterval(seconds), "\(text)")
    }
    let wrong = [
      "", "h", "-2h", "2 h", "2y", "2026", "2026-02-31", "2026-13-01", "yesterday", "2026-01-01T25:99", "99999999999h",
    ]
    for text in wrong { #expect(TimeRange.time(text, at: now, in: zone) == nil, "\(text)") }
    let range = TimeRange(since: now, until: now.addingTimeInterval(60))
    #expect([-0.001, 0, 59.999, 60].map { range.contains(now.addingTimeInterval($0)) } == [false, true, true, false])
  }
}
