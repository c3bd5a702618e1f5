import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp

/// `qwinkle messages` on servers that list no conversations. Conversations are then found among qwinks, as on screens.
@MainActor
@Suite(.bounded) struct FoundMessagesTests {
  enum Server: String, CaseIterable, Sendable {
    /// Has no `/api/v2/instance`, and reports direct qwinks as private.
    case snac
    /// Fails at `/api/v2/instance`, and reports direct qwinks as direct.
    case takahe

    var visibility: Visibility { self == .snac ? .private : .direct }
  }

  nonisolated private static let mara = Qwinker.sample("mara")
  nonisolated private static let bob = Qwinker.sample("bob")

  nonisolated private static func message(
    _ id: Qwink.ID, _ text: String, from author: Qwinker, to other: Qwinker, _ server: Server
  ) -> Qwink {
    var qwink = Qwink.sample(id: id, text: text, author: author)
    qwink.visibility = server.visibility
    qwink.mentions = [Qwink.Mention(id: other.id, userName: other.userName, handle: other.handle)]
    return qwink
  }

  private func harness(_ server: Server, hasMessages: Bool = true) -> CommandHarness {
    let first = Self.message("1", "Tea?", from: Self.mara, to: Self.bob, server)
    let last = {
      var last = Self.message("2", "At nine", from: Self.bob, to: Self.mara, server)
      last.createdAt = first.createdAt.addingTimeInterval(60)
      last.inReplyTo = first.id
      return last
    }()
    let home = hasMessages ? [last] : []
    let thread = QwinkThread(ancestors: [first])
    return CommandHarness(transport: {
      ScriptedTransport { request in
        let path = String(request.head.path?.prefix { $0 != "?" } ?? "")
        return switch path {
        case "/api/v2/instance": .text("<h1>Oops</h1>", status: server == .snac ? 404 : 500)
        case "/api/v1/instance": .json(Array(#"{"uri":"writing.example","title":"W"}"#.utf8))
        case "/api/v1/accounts/verify_credentials": .json(WireEncoder.qwinker(Self.mara, ownNote: ""))
        case "/api/v1/conversations", "/api/v1/notifications": .json(Array("[]".utf8))
        case "/api/v1/timelines/home": .json(WireEncoder.qwinks(home))
        case "/api/v1/statuses/2/context": .json(WireEncoder.thread(thread))
        default: .json(WireEncoder.error("Record not found"), status: 404)
        }
      }
    })
  }

  @Test(arguments: Server.allCases)
  func `conversations found among qwinks are listed`(server: Server) async throws {
    let outcome = try await harness(server).run(["messages"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.output.contains("with bob") && outcome.output.contains("bob: At nine"), "\(outcome)")
    let json = try await harness(server).run(["messages", "--json"])
    #expect(json.status == 0 && json.output.contains("with bob"), "\(json)")
    let none = try await harness(server, hasMessages: false).run(["messages"])
    #expect(none.status == 0 && none.output.isEmpty, "\(none)")
  }

  @Test(arguments: Server.allCases, ["@bob", "bob", "with bob"])
  func `messages are found by user or printed id and shown oldest first`(
    server: Server, name: String
  ) async throws {
    let outcome = try await harness(server).run(["messages", name])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let (tea, nine) = (outcome.output.firstRange(of: "Tea?"), outcome.output.firstRange(of: "At nine"))
    let (above, below) = (try #require(tea), try #require(nine))
    #expect(above.upperBound <= below.lowerBound, "\(outcome)")
  }

  @Test(arguments: Server.allCases)
  func `an unknown user and deleting a found conversation are errors`(server: Server) async throws {
    let unknown = try await harness(server).run(["messages", "@cora"])
    #expect(unknown.status == 1 && unknown.errors.contains("“@cora”"), "\(unknown)")
    let deleted = try await harness(server).run(["messages", "with bob", "--delete"])
    #expect(deleted.status == 1 && deleted.errors.contains("no conversations to delete"), "\(deleted)")
  }
}
