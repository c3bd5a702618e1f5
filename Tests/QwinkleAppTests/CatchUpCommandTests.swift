import ArgumentParser
import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// The command `catchup`.
@MainActor
@Suite(.bounded) struct CatchUpCommandTests {
  /// A server with six rows in the home timeline, on two pages.
  private final class Server: Sendable {
    private let state = Mutex((failsBelow: false, marker: String?.none))
    private let now: Date

    init(at now: Date) { self.now = now }

    func fail() { state.withLock { $0.failsBelow = true } }

    /// The read position in home.
    var marker: String? { state.withLock { $0.marker } }

    private func qwink(_ number: Int, by author: String, _ text: String, replyTo: Qwink.ID? = nil) -> Qwink {
      var qwink = Qwink.sample(
        id: Qwink.ID("\(number)"), text: text, author: .sample(author),
        at: now.addingTimeInterval(Double(number - 20) * 600))
      qwink.inReplyTo = replyTo
      qwink.url = "https://writing.example/@\(author)/\(number)"
      qwink.favouritesCount = number
      return qwink
    }

    private var rows: [Qwink] {
      let first = qwink(1, by: "anna", "First\nkiosk")
      var boost = first
      boost.id = "3"
      boost.booster = .sample("carl")
      boost.boostedAt = now.addingTimeInterval(-17 * 600)
      var linking = qwink(5, by: "anna", "News")
      linking.card = Qwink.Card(url: "https://news.example/a", title: "A title")
      var covered = qwink(6, by: "dora", "The ending")
      covered.contentWarning = "Book"
      return [
        covered, linking, qwink(4, by: "ben", "Reply", replyTo: "2"), boost, qwink(2, by: "ben", "Second"), first,
      ]
    }

    func transport() -> ScriptedTransport {
      ScriptedTransport { [self] request in
        let path = request.head.path ?? ""
        switch path.prefix(while: { $0 != "?" }) {
        case "/api/v1/timelines/home":
          guard path.contains("max_id=") else {
            var fields = HTTPFields()
            if let name = HTTPField.Name("Link") {
              fields[name] = "<https://writing.example/api/v1/timelines/home?max_id=3>; rel=\"next\""
            }
            return .json(WireEncoder.qwinks(Array(rows.prefix(4))), fields: fields)
          }
          if state.withLock({ $0.failsBelow }) { throw TransportError.interrupted(host: "writing.example") }
          return .json(WireEncoder.qwinks(path.contains("max_id=3") ? Array(rows.suffix(2)) : []))
        case "/api/v1/markers":
          if request.head.method == .post {
            let body = String(decoding: request.body, as: UTF8.self)
            let number = body.firstRange(of: "last_read_id").map { body[$0.upperBound...].filter(\.isNumber).prefix(1) }
            state.withLock { $0.marker = number.map { String($0) } }
          }
          let positions = marker.map { [ReadPosition(place: .home, lastReadID: $0, updatedAt: now)] } ?? []
          return .json(WireEncoder.readPositions(positions))
        default: return .json(WireEncoder.error("Record not found"), status: 404)
        }
      }
    }
  }

  private let server: Server
  private let harness: CommandHarness

  init() {
    let server = Server(at: VirtualClock().now)
    self.server = server
    harness = CommandHarness(transport: { server.transport() })
  }

  private func run(_ arguments: String...) async throws -> CommandHarness.Outcome {
    try await harness.run(["catchup"] + arguments)
  }

  @Test func `posts are printed once, oldest first, with all who boosted them`() async throws {
    let outcome = try await run("--format", "{id} {author} {boosters} {favourites}|")
    #expect(outcome.output == "1 anna @carl 1| 2 ben  2| 4 ben  4| 5 anna  5| 6 dora  6|", "\(outcome.errors)")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let text = try await run()
    #expect(text.output.contains("↻ boosted by carl") && text.output.contains("⚠ Book"))
    #expect(!text.output.contains("The ending"))
    #expect(try await run("--reveal").output.contains("The ending"))
  }

  @Test(arguments: [
    (["--sort", "favourites"], "6 5 4 2 1"), (["--view", "authors"], "1 5 2 4 6"),
    (["--view", "threads", "--sort", "favourites"], "6 5 2 4 1"), (["--view", "without-replies"], "1 2 5 6"),
    (["--view", "boosts"], "1"), (["--match", "ben"], "2 4"), (["--limit", "2"], "1 2"),
    (["--hours", "3"], "2 1 4 5 6"),
    (["--view", "authors", "--limit", "3"], "1 5 2"),
  ])
  func `options choose the posts and their order, also as JSON`(options: [String], expected: String) async throws {
    let outcome = try await harness.run(["catchup", "--format", "{id}"] + options)
    #expect(outcome.output == expected, "\(outcome.errors)")
    let json = try await harness.run(["catchup", "--json"] + options)
    let qwinks = try WireDecoder.qwinks(from: Array(json.output.utf8), link: nil).items
    #expect(qwinks.map(\.originalID.rawValue).joined(separator: " ") == expected)
  }

  @Test func `groups have headings in text and none in other formats`() async throws {
    let authors = try await run("--view", "authors").output
    #expect(authors.contains("== anna @anna · 2 posts") && authors.contains("== dora @dora · 1 post"))
    #expect(try await run("--view", "threads").output.contains("== Thread: @ben · 2 posts"))
    #expect(try await !run("--view", "authors", "--format", "{id}").output.contains("=="))
  }

  @Test func `links are printed once with their sharers`() async throws {
    let text = try await run("--view", "links")
    #expect(text.output == "A title https://news.example/a shared by @anna")
    let line = try await run("--view", "links", "--format", #"{host}\t{title}\t{sharers} {posts}"#)
    #expect(line.output == "news.example\tA title\t@anna 1")
    let json = try await run("--view", "links", "--json")
    #expect(
      json.output
        == #"[{"accounts":["anna"],"statuses":["5"],"title":"A title","url":"https://news.example/a"}]"#)
  }

  @Test func `the read position moves to the newest printed post, here and on the server`() async throws {
    #expect(try await run("--limit", "3", "--mark-read", "--format", "{id}").output == "1 2 4")
    #expect(server.marker == "4")
    #expect(try await run("--format", "{id}").output == "5 6")
    #expect(try await run("--match", "nothing", "--mark-read").output.isEmpty)
    #expect(server.marker == "4")
    #expect(try await run("--mark-read", "--format", "{id}").output == "5 6")
    #expect(try await run("--json").output == "[]")
    #expect(server.marker == "6")
    #expect(try await run("--hours", "24", "--limit", "1", "--format", "{id}").output == "1")
  }

  @Test func `after a failure the loaded posts are printed, and the status is 1`() async throws {
    server.fail()
    let outcome = try await run("--format", "{id}")
    #expect(outcome.output == "1 4 5 6" && outcome.status == 1 && !outcome.errors.isEmpty)
    _ = try await run("--mark-read")
    #expect(server.marker == nil, "posts that were not fetched stay unread")
  }

  // MARK: Templates

  @Test(arguments: [
    ("{text}", "First kiosk"), (#"{author}\t{name}\n{{{id}}}\\ \x }"#, "anna\tanna\n{1}\\ \\x }"), ("plain", "plain"),
    ("", ""),
  ])
  func `a template is filled with the fields of a post`(template: String, expected: String) throws {
    let filled = try OutputTemplate(template, fields: PlainCatchUp.postFields).filled { field in
      ["text": "First\nkiosk", "author": "anna", "name": "anna", "id": "1"][field] ?? ""
    }
    #expect(filled == expected)
  }

  @Test(arguments: ["{autor}", "{}", "{text", "{ text }", "{title}"])
  func `a template with an unknown field is refused with the known ones`(template: String) {
    let problem = #expect(throws: OutputTemplate.Problem.self) {
      try OutputTemplate(template, fields: PlainCatchUp.postFields)
    }
    #expect(problem?.sentence.contains(template == "{text" ? "without }" : "{boosters}") == true)
    #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(["catchup", "--format", template]) }
  }

  @Test(arguments: [
    ["--view", "boats"], ["--sort", "boats"], ["--hours", "0"], ["--limit", "0"], ["--json", "--format", "{id}"],
    ["--view", "links", "--format", "{text}"],
  ])
  func `wrong options are refused`(options: [String]) {
    #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(["catchup"] + options) }
  }
}
