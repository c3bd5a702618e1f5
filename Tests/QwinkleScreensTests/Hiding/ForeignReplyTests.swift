import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Replies from the author's server have ids of that server, so their authors are checked by handle.
@MainActor
@Suite(.bounded) struct ForeignReplyTests {
  /// The reason the user doesn't see replies by ben@social.example.
  enum Reason: CaseIterable {
    case muted, blocked, serverBlocked
  }

  /// The time at which the user hid them.
  enum Moment: CaseIterable {
    /// In another program.
    case elsewhere
    /// Here, before the replies are fetched.
    case before
    /// While the replies are visible.
    case after
  }

  /// The id on social.example belongs to another user here.
  private static let ben = Qwinker(id: "21", userName: "ben")
  private static let benHere = Qwinker(id: "77", userName: "ben", handle: "Ben@Social.example")
  private static let other = Qwinker(id: "21", userName: "erin")
  private static let carol = Qwinker(id: "22", userName: "carol", handle: "carol@third.example")
  private static let bensWords = "Written by Ben"
  private static let carolsWords = "Written by Carol"

  private func hide(_ reason: Reason, on screen: Screen) {
    switch reason {
    case .muted: screen.account.mute(Self.benHere, isOn: true) {}
    case .blocked: screen.account.block(Self.benHere, isOn: true) {}
    case .serverBlocked: screen.account.blockServer("SOCIAL.example", isOn: true) {}
    }
  }

  private func show(_ reason: Reason, on screen: Screen) {
    switch reason {
    case .muted: screen.account.mute(Self.benHere, isOn: false) {}
    case .blocked: screen.account.block(Self.benHere, isOn: false) {}
    case .serverBlocked: screen.account.blockServer("social.example", isOn: false) {}
    }
  }

  /// A server whose user has muted `other`, and has hidden ben for `reason` if `listed`.
  private func server(_ reason: Reason, listed: Bool) -> ScriptedTimeline {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(5)
    qwink.url = "https://social.example/@anna/109"
    qwink.repliesCount = 3
    server.replace(with: [qwink])
    server.setThread(QwinkThread(), of: 5)
    let replies = [(207, Self.ben, Self.bensWords), (208, Self.carol, Self.carolsWords)]
    let there = replies.map { number, author, text in
      var reply = Qwink.sample(id: .init("\(number)"), text: text, author: author, at: ScriptedTimeline.start)
      reply.url = "https://social.example/\(number)"
      reply.inReplyTo = "109"
      return reply
    }
    server.handle(.get, "/api/v1/statuses/109/context") { _ in
      .json(WireEncoder.thread(QwinkThread(descendants: there)))
    }
    let muted = reason == .muted && listed ? [Self.benHere, Self.other] : [Self.other]
    server.setAnswer(WireEncoder.qwinkers(muted), of: "/api/v1/mutes")
    server.setAnswer(WireEncoder.qwinkers(reason == .blocked && listed ? [Self.benHere] : []), of: "/api/v1/blocks")
    let hosts = reason == .serverBlocked && listed ? ["social.example"] : []
    server.setAnswer(WireEncoder.strings(hosts), of: "/api/v1/domain_blocks")
    for verb in ["mute", "block"] {
      var relationship = Relationship(id: Self.benHere.id, isMuting: verb == "mute", isBlocking: verb == "block")
      server.setAnswer(WireEncoder.relationship(relationship), of: "/api/v1/accounts/77/\(verb)")
      (relationship.isMuting, relationship.isBlocking) = (false, false)
      server.setAnswer(WireEncoder.relationship(relationship), of: "/api/v1/accounts/77/un\(verb)")
    }
    return server
  }

  @Test(arguments: Reason.allCases, Moment.allCases)
  func `a reply from the author's server by a hidden user is left out`(reason: Reason, moment: Moment) async throws {
    let screen = try await Screen.settled(server(reason, listed: moment != .after), rows: 40)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    if moment == .before {
      hide(reason, on: screen)
      await screen.settle()
    }
    await screen.press("g", "r")
    #expect(screen.text.contains(Self.carolsWords), "\(screen.text)")
    if moment == .after {
      #expect(screen.text.contains(Self.bensWords), "\(screen.text)")
      hide(reason, on: screen)
      await screen.settle()
    }
    #expect(!screen.text.contains(Self.bensWords), "\(screen.text)")
    show(reason, on: screen)
    await screen.settle()
    #expect(screen.text.contains(Self.bensWords), "\(screen.text)")
  }

  @Test(arguments: ["/api/v1/mutes", "/api/v1/blocks", "/api/v1/domain_blocks", "/api/v2/filters"])
  func `replies aren't shown if the user's mutes, blocks or filters can't be read`(path: String) async throws {
    let server = server(.muted, listed: true)
    server.handle(.get, path) { _ in .json(WireEncoder.error("Not for this token"), status: 403) }
    let screen = try await Screen.settled(server, rows: 40)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    await screen.press("g", "r")
    #expect(!screen.text.contains(Self.carolsWords), "\(screen.text)")
    let error = DownloadError.forbidden(host: ScriptedTimeline.host, message: "Not for this token")
    let sentence = ForeignThreadError.notChecked(error).sentence
    #expect(screen.status.contains(sentence.prefix(40)), "\(screen.status)")
  }

  @Test func `blocking a server hides its conversations`() async throws {
    let server = ScriptedTimeline()
    for method in [HTTPRequest.Method.post, .delete] {
      server.handle(method, "/api/v1/domain_blocks") { _ in .json(Array("{}".utf8)) }
    }
    let message = Qwink.sample(id: "301", text: "Psst", author: Self.benHere, at: ScriptedTimeline.start)
    server.messages.add("c1", with: [Self.benHere], [message])
    server.messages.add("c2", with: [Self.carol], [Qwink.sample(id: "302", text: "Hm", author: Self.carol)])
    let screen = try await Screen.settled(server)
    screen.main.router.go(to: .messages)
    await screen.settle()
    func names() -> Set<String> {
      Set(screen.account.inbox.conversations.flatMap(\.participants).map(\.userName))
    }
    #expect(names() == ["ben", "carol"], "\(screen.text)")
    screen.account.blockServer("social.example", isOn: true) {}
    await screen.settle()
    #expect(names() == ["carol"], "\(screen.text)")
    screen.account.blockServer("social.example", isOn: false) {}
    await screen.settle()
    #expect(names() == ["ben", "carol"], "\(screen.text)")
  }

  @Test func `a reply isn't hidden if its author's id is a muted user's id here`() async throws {
    let screen = try await Screen.settled(server(.muted, listed: false), rows: 40)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    await screen.press("g", "r")
    #expect(screen.text.contains(Self.bensWords), "\(screen.text)")
  }
}
