import Foundation
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

/// Writing, listing and revoking quotes, and choosing who may quote.
@MainActor
@Suite(.bounded) struct QuoteTests {
  /// A server with a post by dana and one by mara, the user.
  private final class Server: Sendable {
    let timeline = ScriptedTimeline()
    private let bodies = Mutex<[String]>([])

    static let danas = Qwink.sample(
      id: "3", text: "Tea at four?", author: .sample("dana"), at: ScriptedTimeline.start)
    static let own = Qwink.sample(id: "4", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)

    /// - Parameters:
    ///   - approval: The rules for dana's post. Nil as on servers without quotes.
    ///   - supportsQuotes: The server's description. Nil if it doesn't show whether the server has quotes.
    ///   - storesQuotes: Whether posts keep their quote.
    init(
      _ approval: QuoteApproval? = QuoteApproval(.public, effect: .automatic), supportsQuotes: Bool? = true,
      storesQuotes: Bool = true, state: Qwink.Quote.State = .accepted, visibility: Visibility = .public
    ) {
      var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host, version: "4.5.0")
      info.supportsQuotes = supportsQuotes
      let description = WireEncoder.serverInfoV2(info)
      timeline.handle(.get, "/api/v2/instance") { _ in .json(description) }
      var danas = Self.danas
      danas.quoteApproval = approval
      danas.visibility = visibility
      timeline.add([danas])
      timeline.handle(.get, "/api/v1/statuses/3") { [danas] _ in .json(WireEncoder.qwink(danas)) }
      timeline.handle(.post, "/api/v1/statuses") { [self, danas] request in
        bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        var posted = try WireDecoder.qwink(from: try await timeline.accept(request).body)
        if storesQuotes {
          posted.quote = Qwink.Quote(id: "3", state: state)
          if state == .accepted { posted.quote?.whole = QuotedQwink(danas) }
        }
        return .json(WireEncoder.qwink(posted))
      }
    }

    /// Adds mara's post.
    func addOwn(_ change: (inout Qwink) -> Void = { _ in }) {
      var own = Self.own
      own.quoteApproval = QuoteApproval(.public, effect: .automatic)
      change(&own)
      timeline.add([own])
      timeline.handle(.get, "/api/v1/statuses/4") { [own] _ in .json(WireEncoder.qwink(own)) }
      let source = WireEncoder.source(QwinkSource(id: "4", text: own.text.plainText))
      timeline.handle(.get, "/api/v1/statuses/4/source") { _ in .json(source) }
    }

    /// The bodies of received posts.
    var sent: [[String: String]] {
      bodies.withLock { $0 }.map { body in
        let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
        return (object ?? [:]).compactMapValues { $0 as? String }
      }
    }
  }

  private func command(_ line: String, on screen: Screen) async {
    await screen.press(":")
    screen.type(line)
    await screen.press("Enter")
  }

  // MARK: Writing

  @Test func `gq writes a post that quotes the selected one`() async throws {
    let server = Server()
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await screen.press("g", "q")
    #expect(screen.sheetTitle == "Quote @dana")
    #expect(screen.text.contains("dana · ") && screen.text.contains("Tea at four?"))
    screen.type("Yes, please")
    await screen.press("^D")
    #expect(server.sent.map { $0["quoted_status_id"] } == ["3"] && server.sent.first?["status"] == "Yes, please")
    #expect(server.sent.first?["in_reply_to_id"] == nil && server.sent.first?["quote_approval_policy"] == nil)
    #expect(screen.text.contains("Yes, please") && screen.text.contains("❝ @dana: Tea at four?"), "\(screen.text)")
    #expect(screen.drafts.all.isEmpty)
  }

  @Test func `the prompt command quotes the selected post, too`() async throws {
    let screen = try await Screen.settled(Server().timeline)
    await command("quote", on: screen)
    #expect(screen.sheetTitle == "Quote @dana")
  }

  @Test(arguments: [
    (QuoteApproval(.nobody, effect: .denied), Visibility.public, "@dana does not allow you to quote this post."),
    (QuoteApproval(.followers, effect: .denied), .public, "Only followers of @dana can quote this post."),
    (QuoteApproval(automatic: .other, effect: .unknown), .public, "@dana does not allow you to quote this post."),
    (QuoteApproval(.nobody, effect: .denied), .private, "Followers-only posts can be quoted only by their author."),
    (QuoteApproval(.nobody, effect: .denied), .direct, "Direct messages can't be quoted."),
  ])
  func `a refusal is explained before the entry opens`(
    approval: QuoteApproval, visibility: Visibility, words: String
  ) async throws {
    let screen = try await Screen.settled(Server(approval, visibility: visibility).timeline, columns: 100)
    await screen.press("g", "q")
    #expect(screen.status.contains(words), "\(screen.status)")
    #expect(screen.application.window.topSheet == nil)
  }

  @Test(arguments: [nil, false] as [Bool?])
  func `a server without quotes is named before the entry opens`(supportsQuotes: Bool?) async throws {
    let server = Server(nil, supportsQuotes: supportsQuotes)
    let screen = try await Screen.settled(server.timeline, rows: 480, columns: 100)
    await screen.press("g", "q")
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .quotes)), "\(screen.status)")
    #expect(screen.application.window.topSheet == nil)
    // The help leaves out the keys only if the server's description excludes quotes.
    await screen.press("?")
    let words = try Screen.summary(of: .quote)
    #expect(screen.text.contains(words) == (supportsQuotes == nil))
  }

  @Test func `a server that lists no version is asked if the post has rules`() async throws {
    let server = Server(supportsQuotes: nil)
    let screen = try await Screen.settled(server.timeline)
    await screen.press("g", "q")
    screen.type("Yes")
    await screen.press("^D")
    #expect(server.sent.map { $0["quoted_status_id"] } == ["3"])
    #expect(screen.account.connection.abilities[.quotes] == true)
  }

  @Test func `a quote that the author must approve is announced`() async throws {
    let approval = QuoteApproval(automatic: [], manual: .public, effect: .manual)
    let screen = try await Screen.settled(Server(approval, state: .pending).timeline)
    await screen.press("g", "q")
    #expect(screen.sheetTitle == "Quote @dana, who must approve the quote")
    screen.type("Yes")
    await screen.press("^D")
    #expect(screen.status.contains(QuoteWords.postedPending), "\(screen.status)")
    #expect(screen.text.contains(QuoteWords.withheld(.pending)))
  }

  @Test func `a lost quote is reported, and the key is refused from then on`() async throws {
    let server = Server(storesQuotes: false)
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await screen.press("g", "q")
    screen.type("Yes")
    await screen.press("^D")
    #expect(screen.text.contains("The server did not store its quote."), "\(screen.text)")
    await screen.press("G", "g", "q")
    #expect(screen.application.window.topSheet == nil)
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .quotes)), "\(screen.status)")
  }

  @Test func `a closed quote is a draft that the key reopens`() async throws {
    let server = Server()
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server.timeline, columns: 100, in: folder)
    await screen.press("g", "q")
    screen.type("Half a thought")
    await screen.press("Esc", "r", "Esc", "g", "d")
    #expect(screen.text.contains("Quote @dana") && screen.text.contains("Half a thought"), "\(screen.text)")
    await screen.press("Enter")
    #expect(screen.sheetTitle == "Quote @dana" && screen.text.contains("Tea at four?"))
    await screen.press("Esc")
    screen.endAtOnce()
    let later = try await Screen.settled(server.timeline, columns: 100, in: folder)
    await later.press("g", "q")
    #expect(later.text.contains("Half a thought"))
    await later.press("^D")
    #expect(server.sent.map { $0["quoted_status_id"] } == ["3"])
  }

  @Test func `a direct quote must mention the quoted author`() async throws {
    let server = Server()
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await screen.press("g", "q")
    screen.type("@carol look")
    await screen.press("^T", "^T", "^T", "^D")
    #expect(screen.text.contains(EntryProblem.omitsQuotedAuthor("dana").sentence), "\(screen.text)")
    #expect(server.sent.isEmpty)
    screen.type(" at @dana")
    await screen.press("^D")
    #expect(server.sent.map { $0["visibility"] } == ["direct"])
  }

  @Test func `an edit shows the quote, which it can't change`() async throws {
    let server = Server()
    server.addOwn { $0.quote = Qwink.Quote(id: "3", author: .sample("dana"), text: RichText(plain: "Tea at four?")) }
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await screen.press("e")
    let title = EntryWords.title(of: .edit(Server.own), me: nil)
    #expect(screen.sheetTitle == title)
    // The row of the list, above the sheet, shows the quote, too.
    let sheet = screen.lines.drop { !$0.contains(title) }
    #expect(sheet.contains { $0.contains("❝ @dana: Tea at four?") }, "\(screen.text)")
  }

  @Test func `a redraft quotes the same post again`() async throws {
    let server = Server()
    server.addOwn {
      $0.quote = Qwink.Quote(
        id: "3", author: .sample("dana"), text: RichText(plain: "Tea at four?"), url: "https://x.y/3")
      $0.quoteApproval = QuoteApproval(.followers, effect: .automatic)
    }
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await screen.press("D", "y")
    #expect(screen.server.reactions.seen == ["DELETE 4"], "\(screen.text)")
    #expect(screen.sheetTitle == "Quote @dana")
    await screen.press("^D")
    #expect(server.sent.map { $0["quoted_status_id"] } == ["3"])
    #expect(server.sent.first?["quote_approval_policy"] == "followers" && server.sent.first?["status"] == "Mine")
  }

  // MARK: Policies

  @Test func `the entry's policy is chosen by a key and sent`() async throws {
    let server = Server()
    let screen = try await Screen.settled(server.timeline, columns: 120)
    await screen.press("c")
    screen.type("Hello")
    for policy in [QuotePolicy.public, .followers, .nobody, .public, .followers] {
      await screen.press("^X", "q")
      let words = "\(QuoteWords.policyLabel)  \(QuoteWords.name(of: policy))"
      #expect(screen.text.contains(words), "\(screen.text)")
    }
    await screen.press("^D")
    #expect(server.sent.map { $0["quote_approval_policy"] } == ["followers"])
  }

  @Test func `a post for followers has no policy to choose`() async throws {
    let server = Server()
    let screen = try await Screen.settled(server.timeline, columns: 120)
    await screen.press("c", "^X", "q", "^T", "^T")
    screen.type("Quiet")
    await screen.settle()
    #expect(screen.text.contains(EntryWords.name(of: .private)), "\(screen.text)")
    #expect(!screen.text.contains("\(QuoteWords.policyLabel)  "), "\(screen.text)")
    await screen.press("^X", "q")
    #expect(screen.text.contains(QuoteWords.noPolicy))
    await screen.press("^D")
    #expect(server.sent.map { $0["visibility"] } == ["private"])
    #expect(server.sent.map { $0["quote_approval_policy"] } == [nil])
  }

  @Test func `a server without quotes shows no policy and refuses the key`() async throws {
    let screen = try await Screen.settled(Server(nil, supportsQuotes: false).timeline, columns: 120)
    await screen.press("c")
    #expect(!screen.text.contains("\(QuoteWords.policyLabel)  "))
    await screen.press("^X", "q")
    #expect(screen.text.contains(ScriptedTimeline.lack(of: .quotes)), "\(screen.text)")
  }

  @Test func `quote-policy changes the user's own post, and undo restores it`() async throws {
    let server = Server()
    server.addOwn()
    let policies = Mutex<[String]>([])
    server.timeline.handle(.put, "/api/v1/statuses/4/interaction_policy") { request in
      policies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      return .json(WireEncoder.qwink(Server.own))
    }
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await command("quote-policy nobody", on: screen)
    #expect(policies.withLock { $0 } == [#"{"quote_approval_policy":"nobody"}"#])
    #expect(screen.status.contains(QuoteWords.policyChanged(.nobody)), "\(screen.status)")
    await screen.press("u")
    #expect(policies.withLock { $0.last } == #"{"quote_approval_policy":"public"}"#)
    await command("quote-policy friends", on: screen)
    #expect(screen.status.contains("public, followers or nobody"), "\(screen.status)")
    await screen.press("G")
    await command("quote-policy nobody", on: screen)
    #expect(screen.status.contains(QuoteWords.cannotChangePolicy), "\(screen.status)")
    #expect(policies.withLock { $0.count } == 2)
  }

  // MARK: Listing and revoking

  @Test func `gQ lists the posts that quote the selected one`() async throws {
    let server = Server()
    let quote = Qwink.sample(id: "9", text: "Yes, please", author: .sample("erin"), at: ScriptedTimeline.start)
    server.timeline.setAnswer(WireEncoder.qwinks([quote]), of: "/api/v1/statuses/3/quotes")
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await screen.press("g", "Q")
    #expect(screen.way.contains("Quotes") && screen.text.contains("Yes, please"), "\(screen.text)")
    await screen.press("q")
    await command("quotes", on: screen)
    #expect(screen.way.contains("Quotes") && screen.text.contains("Yes, please"))
  }

  @Test func `the opened post shows how many posts quote it`() async throws {
    let server = Server()
    server.addOwn { $0.quotesCount = 2 }
    let screen = try await Screen.settled(server.timeline, columns: 100, hidesMessages: true)
    #expect(!screen.text.contains("❝ 2"))
    await screen.press("Enter")
    #expect(screen.text.contains("❝ 2"), "\(screen.text)")
  }

  private static func quoting(_ author: String, by quoter: String = "erin") -> Qwink {
    var qwink = Qwink.sample(id: "9", text: "Look", author: .sample(quoter), at: ScriptedTimeline.start)
    qwink.quote = Qwink.Quote(id: "4", author: .sample(author), text: RichText(plain: "Mine"))
    return qwink
  }

  @Test func `revoke-quote removes the user's post after a question`() async throws {
    let server = Server()
    server.timeline.add([Self.quoting("mara")])
    var revoked = Self.quoting("mara")
    revoked.quote = Qwink.Quote(id: nil, state: .revoked)
    server.timeline.handle(.post, "/api/v1/statuses/4/quotes/9/revoke") { [revoked] _ in
      .json(WireEncoder.qwink(revoked))
    }
    let screen = try await Screen.settled(server.timeline)
    #expect(screen.text.contains("❝ @mara: Mine"))
    await command("revoke-quote", on: screen)
    #expect(screen.text.contains(QuoteWords.revokeQuestion(Self.quoting("mara"))), "\(screen.text)")
    await screen.press("n")
    #expect(!server.timeline.paths.contains { $0.hasSuffix("/revoke") })
    await command("revoke-quote", on: screen)
    await screen.press("y")
    #expect(screen.status.contains(QuoteWords.revoked), "\(screen.status)")
    #expect(screen.text.contains(QuoteWords.withheld(.revoked)) && !screen.text.contains("❝ @mara: Mine"))
    await command("revoke-quote", on: screen)
    #expect(screen.status.contains(RevocationRefusal.isWithheld.sentence), "\(screen.status)")
  }

  @Test func `only the quoted author can revoke a quote`() async throws {
    let server = Server()
    server.timeline.add([Self.quoting("dana")])
    let screen = try await Screen.settled(server.timeline, columns: 100)
    await command("revoke-quote", on: screen)
    #expect(screen.status.contains(RevocationRefusal.notMine.sentence), "\(screen.status)")
    await screen.press("G")
    await command("revoke-quote", on: screen)
    #expect(screen.status.contains(RevocationRefusal.quotesNothing.sentence), "\(screen.status)")
  }
}
