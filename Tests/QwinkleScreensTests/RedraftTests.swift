import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Deleting the user's own qwink to write it again.
@MainActor
@Suite(.bounded) struct RedraftTests {
  private static func mine(_ change: (inout Qwink) -> Void = { _ in }) -> Qwink {
    var qwink = Qwink.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
    change(&qwink)
    return qwink
  }

  /// Returns a list with `qwink` on top, whose source is `text`.
  private func list(_ qwink: Qwink, typed text: String = "Mine *indeed*") async throws -> Screen {
    let server = ScriptedTimeline([3])
    server.add([qwink])
    let source = QwinkSource(id: "77", text: text, contentWarning: qwink.contentWarning)
    server.handle(.get, "/api/v1/statuses/77/source") { _ in .json(WireEncoder.source(source)) }
    server.handle(.get, "/api/v1/statuses/77") { _ in .json(WireEncoder.qwink(qwink)) }
    return try await Screen.settled(server, columns: 120)
  }

  @Test func `D deletes a qwink after a question and opens an entry with its content`() async throws {
    let qwink = Self.mine {
      $0.visibility = .unlisted
      $0.contentWarning = "boats"
      $0.language = "sv"
      $0.isSensitive = true
      $0.attachments = [Attachment(id: "5", kind: .image), Attachment(id: "6", kind: .audio, altText: "a gull")]
    }
    let screen = try await list(qwink)
    await screen.press("D", "n")
    #expect(screen.server.reactions.seen.isEmpty && screen.text.contains("boats"))
    await screen.press("D")
    #expect(screen.text.contains(ActionWords.redraftQuestion))
    await screen.press("y")
    #expect(screen.server.reactions.seen == ["DELETE 77"])
    #expect(screen.sheetTitle == EntryWords.title(of: .new, me: nil) && screen.text.contains("Mine *indeed*"))
    let visibility = EntryWords.name(of: .unlisted)
    #expect(screen.text.contains("boats") && screen.text.contains(visibility) && screen.text.contains("sv"))
    for (kind, number, altText) in [
      (QwinkleModel.Attachment.Kind.image, 1, EntryFileWords.noAltText), (.audio, 2, "“a gull”"),
    ] {
      let name = EntryFileWords.name(ofUnnamed: kind, number: number)
      #expect(screen.text.contains("+ \(name)  \(EntryFileWords.uploaded)  \(altText)"), "\(screen.text)")
    }
    screen.type("!")
    await screen.press("^D")
    #expect(
      screen.server.posted == [
        .init(
          text: "Mine *indeed*!", visibility: "unlisted", key: screen.server.posted.first?.key, warning: "boats",
          language: "sv", media: ["5", "6"])
      ])
    #expect(screen.drafts.all.isEmpty)
  }

  @Test func `a redraft without files and without its warning is not sensitive`() async throws {
    let qwink = Self.mine {
      $0.contentWarning = "boats"
      $0.isSensitive = true
    }
    let screen = try await list(qwink)
    let server = screen.server
    let bodies = Mutex<[String]>([])
    server.handle(.post, "/api/v1/statuses") { request in
      bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      return try await server.accept(request)
    }
    await screen.press("D", "y", "^X", "w", "^U", "^D")
    #expect(server.posted.map(\.text) == ["Mine *indeed*"] && server.posted.map(\.warning) == [""])
    #expect(bodies.withLock { $0 }.allSatisfy { !$0.contains("sensitive") })
  }

  @Test func `a poll is restored with its options and duration`() async throws {
    let qwink = Self.mine {
      $0.poll = Poll(
        id: "9", options: [.init(title: "Tea", votesCount: 1), .init(title: "Coffee", votesCount: 0)],
        expiresAt: $0.createdAt.addingTimeInterval(7200.4), allowsSeveral: true)
    }
    let screen = try await list(qwink)
    await screen.press("D", "y")
    #expect(screen.text.contains("Tea | Coffee | 2 hours | several"))
    #expect(screen.drafts.load()?.poll == EntryPoll(options: ["Tea", "Coffee"], seconds: 7200, allowsSeveral: true))
  }

  @Test func `a reply stays a reply or after a question becomes a new qwink if its parent was deleted`() async throws {
    let parent = Qwink.sample(id: "70", author: .sample("erin"), at: ScriptedTimeline.start)
    let qwink = Self.mine { $0.inReplyTo = "70" }
    let screen = try await list(qwink, typed: "@erin Mine")
    screen.server.handle(.get, "/api/v1/statuses/70") { _ in .json(WireEncoder.qwink(parent)) }
    await screen.press("D", "y")
    #expect(screen.sheetTitle == EntryWords.title(of: .reply(to: parent), me: nil))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.parent) == ["70"] && screen.server.posted.map(\.text) == ["@erin Mine"])

    let other = try await list(qwink, typed: "@erin Mine")
    await other.press("D", "y")
    #expect(other.server.reactions.seen.isEmpty && other.sheetTitle != EntryWords.title(of: .new, me: nil))
    #expect(other.text.contains(RedraftLoss.parent.words), "\(other.text)")
    await other.press("y")
    #expect(other.sheetTitle == EntryWords.title(of: .new, me: nil) && other.text.contains("@erin Mine"))
  }

  @Test func `the draft is on disk before the deletion is sent`() async throws {
    let gate = Gate()
    let screen = try await list(Self.mine())
    screen.server.reactions.hold(by: gate)
    screen.strike("D", "y")
    try await screen.wait(for: "the deletion") { !screen.server.reactions.seen.isEmpty }
    #expect(screen.drafts.load()?.text == "Mine *indeed*")
    screen.kill()
    let later = try await Screen.settled(screen.server, in: screen.folder)
    await later.press("c")
    #expect(later.text.contains("Mine *indeed*"))
    gate.open()
    await screen.settle()
  }

  @Test func `a failed deletion leaves no draft and shows its reason`() async throws {
    let refused = TransportResponse.json(WireEncoder.error("No deleting today"), status: 403)
    let screen = try await list(Self.mine())
    screen.server.handle(.delete, "/api/v1/statuses/77") { _ in refused }
    await screen.press("D", "y")
    #expect(screen.status.contains(RedraftError.notDeleted(.cancelled).outcome) && screen.text.contains("Mine"))
    #expect(screen.drafts.all.isEmpty && screen.sheetTitle == nil)

    screen.server.handle(.get, "/api/v1/statuses/77/source") { _ in refused }
    await screen.press("D", "y")
    #expect(screen.status.contains(RedraftError.notFetched(.cancelled).outcome))
    #expect(screen.drafts.all.isEmpty && screen.sheetTitle == nil)
  }

  @Test func `a deletion whose response was lost keeps the draft`() async throws {
    let screen = try await list(Self.mine())
    screen.server.reactions.fail(with: .interrupted(host: ScriptedTimeline.host))
    await screen.press("D", "y")
    #expect(screen.status.contains(RedraftError.doubtful(.cancelled).outcome))
    #expect(screen.drafts.load()?.text == "Mine *indeed*")
  }

  @Test func `a qwink is not deleted if its text cannot be saved`() async throws {
    let screen = try await list(Self.mine())
    // The file is opened and used once before it becomes read-only.
    await screen.press("c")
    screen.type("Another one, long enough to be saved.")
    await screen.press("Esc")
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("D", "y")
    #expect(screen.status.contains(RedraftError.notSaved(nil).outcome))
    #expect(screen.server.reactions.seen.isEmpty && screen.sheetTitle == nil)
  }

  // MARK: Lost parts

  private static let quoted = "https://kiosk.example/@erin/5"

  /// A qwink as other servers send it, with fields that the embedded server doesn't send.
  nonisolated private static func body(_ fields: String) -> [UInt8] {
    let qwink = Qwink.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
    var json = String(decoding: WireEncoder.qwink(qwink), as: UTF8.self)
    for own in [#""visibility":"public","#, #""quote":null,"#] where fields.hasPrefix(own.prefix { $0 != ":" }) {
      json = json.replacing(own, with: "")
    }
    return Array("\(json.dropLast()),\(fields)}".utf8)
  }

  private static func unknown(_ name: String) -> String { RedraftLoss.field(name).words }

  /// Fields of qwinks, and the text that describes their loss.
  private static let losses: [(fields: String, words: String)] = [
    (#""local_only":true"#, unknown("local_only")),
    (#""content_type":"text/markdown""#, "its formatting"),
    (#""visibility":"mutuals_only""#, "its visibility"),
    (#""quote_approval":{"automatic":[],"manual":["followers"]}"#, "its limits on who may quote it"),
    (
      #""interaction_policy":{"can_reply":{"automatic_approval":["followers"],"manual_approval":["public"]}}"#,
      "its limits on who may reply or boost"
    ),
    (#""pleroma":{"expires_at":"2026-01-02T00:00:00.000Z"}"#, "its expiry"),
    (#""local_only":true,"place":{"name":"Harbour"}"#, "\(unknown("local_only")) and \(unknown("place"))"),
    (
      #""content_type":"text/markdown","local_only":true,"pleroma":{"expires_at":"2026-01-02T00:00:00.000Z"}"#,
      "its formatting, \(unknown("local_only")) and its expiry"
    ),
    (
      #""quote":{"state":"accepted","quoted_status":{"id":"5","url":"\#(quoted)","content":"Tea","#
        + #""account":{"id":"8","acct":"erin","username":"erin"}}}"#,
      RedraftLoss.quote(hasLink: true).words
    ),
    (
      #""quote":{"state":"revoked","quoted_status":null,"quoted_status_id":"5"}"#,
      RedraftLoss.quote(hasLink: false).words
    ),
  ]

  /// Fields that servers set by themselves, or that have default values.
  private static let computed = [
    #""local_only":false"#, #""content_type":"text/plain""#, #""place":null"#, #""quotes_count":3"#,
    #""quote_approval":{"automatic":["public"],"manual":[]}"#, #""application":{"name":"Qwinkle"}"#,
    #""emojis":[{"shortcode":"tea"}]"#, #""pleroma":{"local":true,"expires_at":null}"#,
    #""interaction_policy":{"can_reply":{"automatic_approval":["public","me"],"manual_approval":[]}}"#,
  ]

  @Test func `content that can't be posted again is named before the deletion`() async throws {
    for (fields, words) in Self.losses {
      let screen = try await list(Self.mine(), typed: "Mine")
      screen.server.handle(.get, "/api/v1/statuses/77") { _ in .json(Self.body(fields)) }
      await screen.press("D", "y")
      #expect(screen.unwrapped.contains("loses \(words)."), "\(fields): \(screen.text)")
      await screen.press("n")
      #expect(screen.server.reactions.seen.isEmpty && screen.drafts.all.isEmpty, "\(fields)")
      await screen.press("D", "y", "y")
      #expect(screen.server.reactions.seen == ["DELETE 77"], "\(fields)")
      let link = fields.contains(Self.quoted) ? "\n\n\(Self.quoted)" : ""
      #expect(screen.drafts.load()?.text == "Mine\(link)", "\(fields)")
    }
  }

  @Test func `fields set by the server ask nothing`() async throws {
    for fields in Self.computed {
      let screen = try await list(Self.mine())
      screen.server.handle(.get, "/api/v1/statuses/77") { _ in .json(Self.body(fields)) }
      await screen.press("D", "y")
      #expect(screen.server.reactions.seen == ["DELETE 77"], "\(fields): \(screen.text)")
    }
  }

  @Test func `a parent that can't be fetched doesn't count as deleted`() async throws {
    let screen = try await list(Self.mine { $0.inReplyTo = "70" })
    screen.server.handle(.get, "/api/v1/statuses/70") { _ in .json(WireEncoder.error("Down"), status: 500) }
    await screen.press("D", "y")
    #expect(screen.status.contains(RedraftError.notFetched(.cancelled).outcome), "\(screen.status)")
    #expect(screen.server.reactions.seen.isEmpty && screen.drafts.all.isEmpty)
  }

  @Test func `changes from another client are included`() async throws {
    let screen = try await list(Self.mine())
    let newer = Self.mine {
      $0.contentWarning = "boats"
      $0.attachments = [Attachment(id: "6", kind: .image, altText: "a gull")]
    }
    screen.server.handle(.get, "/api/v1/statuses/77") { _ in .json(WireEncoder.qwink(newer)) }
    await screen.press("D", "y")
    #expect(screen.drafts.load()?.attachmentIDs == ["6"])
    #expect(screen.drafts.all.last?.files?.map(\.altText) == ["a gull"])
  }

  @Test func `another author's qwink cannot be redrafted`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3]))
    await screen.press("D")
    #expect(screen.status.contains(ActionWords.cannotDelete))
    #expect(screen.sheetTitle == nil)
  }
}
