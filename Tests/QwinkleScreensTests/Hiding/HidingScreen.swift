import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Testing
import Timekeeping

@testable import QwinkleScreens

extension HidingPlace {
  /// Returns the server's responses that contain `qwinks` for the place, by path prefix.
  private func answers(with qwinks: [Qwink]) -> [(path: String, body: [UInt8])] {
    let bytes = WireEncoder.qwinks(qwinks)
    let none = WireEncoder.qwinks([])
    let account = "/api/v1/accounts/\(Self.host.id)/statuses"
    switch self {
    case .timeline(let name):
      switch name {
      case .public, .local: return [("/api/v1/timelines/public", bytes)]
      case .home: return [("/api/v1/timelines/home", bytes)]
      case .tag(let tag): return [("/api/v1/timelines/tag/\(tag)", bytes)]
      case .list(let id, _): return [("/api/v1/timelines/list/\(id)", bytes)]
      case .qwinker: return [("\(account)?pinned=true", none), (account, bytes)]
      case .part: return [(account, bytes)]
      case .bookmarks: return [("/api/v1/bookmarks", bytes)]
      case .favourites: return [("/api/v1/favourites", bytes)]
      case .trending: return [("/api/v1/trends/statuses", bytes)]
      case .quotes(let id): return [("/api/v1/statuses/\(id)/quotes", bytes)]
      }
    case .translated:
      return [("/api/v1/timelines/public", bytes)]
        + qwinks.map { qwink in
          let translation = Translation(text: qwink.text, contentWarning: qwink.contentWarning)
          return ("/api/v1/statuses/\(qwink.originalID)/translate", WireEncoder.translation(translation))
        }
    case .remote:
      return [
        ("/api/v1/timelines/public?local=true", WireEncoder.qwinks(qwinks.map(Self.foreign)))
      ] + hidden(for: qwinks)
    case .pinned: return [("\(account)?pinned=true", bytes), (account, none)]
    case .view, .catchUp: return [("/api/v1/timelines/home", bytes)]
    case .ancestor:
      return [("/api/v1/statuses/\(Self.root.id)/context", WireEncoder.thread(QwinkThread(ancestors: qwinks)))]
    case .reply:
      return [("/api/v1/statuses/\(Self.root.id)/context", WireEncoder.thread(QwinkThread(descendants: qwinks)))]
    case .foreignReply:
      return [
        ("/api/v1/statuses/109/context", WireEncoder.thread(QwinkThread(descendants: qwinks.map(Self.foreign))))
      ] + hidden(for: qwinks)
    case .notifications(let kind):
      let notifications = qwinks.map { HidingAnswers.notification(kind, of: $0) }
      return [("/api/v1/notifications?", WireEncoder.notifications(notifications))]
    case .sender:
      let notifications = qwinks.map { HidingAnswers.notification(.mention, of: $0) }
      return [("/api/v1/notifications?account_id=", WireEncoder.notifications(notifications))]
    case .requests:
      let requests = qwinks.map { HidingAnswers.request(by: .sample("host"), with: $0) }
      return [("/api/v1/notifications/requests", WireEncoder.notificationRequests(requests))]
    case .search: return [("/api/v2/search", WireEncoder.searchResults(SearchResults(qwinks: qwinks)))]
    case .versions:
      return qwinks.map { qwink in
        let version = QwinkVersion(createdAt: qwink.createdAt, text: qwink.text)
        return ("/api/v1/statuses/\(qwink.id)/history", WireEncoder.versions([version], by: qwink.author))
      }
    // The screen names threads whose first qwink is in a timeline.
    case .resources: return [("/api/v1/timelines/public", bytes)]
    case .focus, .conversations, .chat, .replyQuote, .quoteEntry, .drafts, .outbox, .pictures: return []
    }
  }

  /// The user's filters that match `qwinks`, and the muted and blocked users.
  private func hidden(for qwinks: [Qwink]) -> [(path: String, body: [UInt8])] {
    [
      ("/api/v2/filters", WireEncoder.filters(HidingAnswers.filters(of: qwinks))),
      ("/api/v1/mutes", WireEncoder.qwinkers([HidingRule.muted])),
      ("/api/v1/blocks", WireEncoder.qwinkers([HidingRule.blocked])),
    ]
  }

  /// A qwink as another server sends it. This server's users have full handles.
  private static func foreign(_ qwink: Qwink) -> Qwink {
    func foreign(_ qwinker: Qwinker) -> Qwinker {
      var foreign = qwinker
      foreign.handle += "@\(ScriptedTimeline.host)"
      return foreign
    }
    var sent = HidingAnswers.foreign(qwink)
    sent.author = foreign(qwink.author)
    sent.quote?.author = qwink.quote?.author.map(foreign)
    return sent
  }

  /// Returns a screen whose server has a qwink of each rule for the place, and the user's mutes and blocks.
  @MainActor
  func screen(with rules: [HidingRule]? = nil) async throws -> Screen {
    let qwinks = (rules ?? self.rules).map(qwink)
    let answers = answers(with: qwinks)
    let relationships = WireEncoder.relationships(HidingRule.relationships)
    let server = ScriptedTimeline()
    server.answerFirst { request in
      let path = request.head.path ?? ""
      if path.hasPrefix("/api/v1/accounts/relationships") { return .json(relationships) }
      guard let answer = answers.first(where: { path.hasPrefix($0.path) }) else { return nil }
      return .json(HidingAnswers.isFirstPage(path) ? answer.body : Array("[]".utf8))
    }
    if self == .conversations || self == .chat {
      for qwink in qwinks.reversed() { server.messages.add("c\(qwink.id)", with: [qwink.author], [qwink]) }
    }
    let screen = try await Screen.settled(server, rows: 240, columns: 100, hidesMessages: true)
    screen.account.follows.loadRelationships(to: [HidingRule.muted, HidingRule.blocked])
    await screen.settle()
    return screen
  }

  /// Shows the list that has the qwinks of all rules. Does nothing if each rule has a separate screen.
  @MainActor
  func showList(on screen: Screen) async throws {
    switch self {
    case .timeline(.qwinker), .pinned: screen.main.show(.qwinker(Self.host))
    case .timeline(let name): screen.main.show(.timeline(name))
    case .remote: screen.main.show(.remote(try #require(RemoteTimeline(word: "social.example/local"))))
    case .translated:
      screen.main.show(.timeline(.public))
      await screen.settle()
      for rule in rules { screen.account.translations.show(qwink(rule), in: nil) { _ in } }
    case .view:
      screen.main.router.go(to: .home)
      await screen.settle()
      _ = await screen.account.searchCache?.findInAll(HidingRule.commonWord, limit: 1)
      let view = try OwnView(name: "kiosks", text: "'\(HidingRule.commonWord)'")
      screen.main.show(.view(view))
    case .ancestor, .reply:
      screen.main.show(.thread(Self.root))
      // A thread is fetched after the reader has stayed on it for a moment.
      await screen.pass(.seconds(1))
    case .foreignReply:
      screen.main.show(.thread(Self.foreignRoot))
      await screen.pass(.seconds(1))
      await screen.press("g", "r")
    case .catchUp: screen.main.show(.catchUp)
    case .conversations: screen.main.router.go(to: .messages)
    case .notifications: screen.main.router.go(to: .notifications)
    case .requests: screen.main.show(.records(.filtered))
    case .search: screen.main.show(.search(HidingRule.commonWord))
    case .sender, .focus, .chat, .replyQuote, .quoteEntry, .drafts, .outbox, .versions, .pictures, .resources: break
    }
    await screen.settle()
  }

  /// Returns the text of the rule's separate screen, sheet or row, or nil if one list has all rules.
  @MainActor
  func text(of rule: HidingRule, on screen: Screen) async -> String? {
    let qwink = qwink(rule)
    let cover = screen.account.disclosure(of: qwink, in: nil).cover
    switch self {
    case .focus: screen.main.show(.thread(qwink))
    case .sender: screen.main.show(.filteredNotifications(from: qwink.author))
    case .versions: screen.main.show(.versions(qwink))
    case .pictures: screen.main.show(.pictures(qwink))
    case .chat:
      screen.main.show(
        .conversation(Conversation(id: .init("c\(qwink.id)"), participants: [qwink.author], lastQwink: qwink)))
    case .replyQuote:
      while let sheet = screen.application.window.topSheet { sheet.dismiss() }
      screen.main.write(.reply(to: qwink))
    case .quoteEntry:
      while let sheet = screen.application.window.topSheet { sheet.dismiss() }
      screen.main.write(.quote(of: qwink))
    case .drafts, .outbox: return SavedEntryCellData.about(.reply(to: qwink), under: cover)
    case .resources: return ResourceWords.name(.thread, of: qwink, under: cover)
    case .timeline, .pinned, .translated, .view, .remote, .catchUp, .ancestor, .reply, .foreignReply, .conversations,
      .notifications,
      .requests, .search:
      return nil
    }
    await screen.settle()
    return screen.text
  }
}

/// A list whose rows are available as text.
@MainActor
protocol ListedRows {
  /// The text of the rows in linear mode.
  var saidText: String { get }
  /// The text of the rows that a search covers.
  var soughtText: String { get }
}

extension ListViewController: ListedRows {
  var saidText: String {
    rows.indices.flatMap { cell(forRowAt: $0).words(forColumns: 100) ?? [] }.joined(separator: "\n")
  }

  var soughtText: String { rows.indices.map { findableText(ofRowAt: $0) }.joined(separator: "\n") }
}
