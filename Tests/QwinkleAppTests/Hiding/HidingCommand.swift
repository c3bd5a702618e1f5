import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire

@testable import QwinkleApp

/// A command that prints other users' content.
enum HidingCommand: Hashable, Sendable {
  /// A timeline, by its name in commands.
  case timeline(String)
  case catchUp
  /// A timeline of another server, which doesn't know the user's filters.
  case remote
  case part(QwinkerPart)
  /// The qwinks above, at and below the focused qwink of a thread.
  case ancestors, focus, replies
  case search, notifications, quotes
  /// The last posts of senders whose notifications were filtered, and a sender's notifications.
  case filtered, sender
  case conversations, chat
  case history
  /// A translation that repeats the text.
  case translation
  /// A stream, by its name in commands.
  case stream(String)

  static let all: [HidingCommand] = {
    var all = (TimelineName.words + ["#garden", "list/Kiosks", "@host"]).map { HidingCommand.timeline($0) }
    all += QwinkerPart.allCases.map { HidingCommand.part($0) }
    all += [
      .remote, .catchUp, .ancestors, .focus, .replies, .search, .notifications, .quotes, .filtered, .sender,
      .conversations,
      .chat,
    ]
    all += [.history, .translation]
    all += (StreamCommand.Choice.words + ["#garden"]).map { HidingCommand.stream($0) }
    return all
  }()

  /// Names of the commands in the table.
  static let names: Set<String> = [
    "timeline", "catchup", "thread", "search", "notifications", "filtered", "messages", "history", "stream", "quotes",
    "translate",
  ]

  private static let host = Qwinker.sample("host")
  private static let root = "1"

  // MARK: Traits

  var traits: HidingTraits {
    var traits = HidingTraits(in: filterPlace)
    switch self {
    case .timeline("@host"), .part: traits.leavesOutDirect = true
    case .ancestors, .focus, .replies, .conversations, .chat, .history, .translation, .stream("direct"):
      traits.leavesOutFiltered = false
    case .timeline, .remote, .catchUp, .search, .notifications, .quotes, .filtered, .sender, .stream: break
    }
    return traits
  }

  private var filterPlace: FilterPlace? {
    switch self {
    case .timeline("home"), .timeline("bookmarks"), .timeline("favourites"), .timeline("list/Kiosks"), .catchUp: .home
    case .timeline("@host"), .part: .account
    case .timeline, .remote, .search, .quotes: .public
    case .stream("home"): .home
    case .stream("notifications"), .notifications, .filtered, .sender: .notifications
    case .ancestors, .focus, .replies, .conversations, .chat, .stream("direct"): .thread
    case .history, .translation: nil
    case .stream: .public
    }
  }

  /// Rules that apply to commands. Commands rely on the server to hide muted and blocked users.
  static let rules = HidingRule.all.filter { !$0.isAboutPeople && $0 != .quoteDeletedLater }

  /// Whether the JSON has the fields that programs need to cover a text. The API has no filters for versions of a
  /// qwink, nor for translations.
  var hasJSON: Bool { self != .history && self != .translation }

  // MARK: Arguments

  /// Arguments that print the qwinks of all rules, or nil if each rule needs a separate run.
  var listArguments: [String]? {
    switch self {
    case .timeline(let name): ["timeline", name, "--limit", "40"]
    case .catchUp: ["catchup"]
    case .remote: ["timeline", "social.example/local", "--limit", "40"]
    case .part(let part): ["timeline", "@host", "--only", part.rawValue, "--limit", "40"]
    case .ancestors, .replies: ["thread", Self.root]
    case .search: ["search", HidingRule.commonWord, "--limit", "40"]
    case .notifications: ["notifications", "--limit", "40"]
    case .filtered: ["filtered", "--limit", "40"]
    case .sender: ["filtered", "@host", "--limit", "40"]
    case .quotes: ["quotes", Self.root, "--limit", "40"]
    case .conversations: ["messages", "--limit", "40"]
    case .stream(let name): ["stream", name, "--since", "0"]
    case .focus, .chat, .history, .translation: nil
    }
  }

  func arguments(for rule: HidingRule) -> [String] {
    switch self {
    case .focus: ["thread", rule.id.rawValue]
    case .chat: ["messages", "c\(rule.id)"]
    case .history: ["history", rule.id.rawValue]
    case .translation: ["translate", rule.id.rawValue]
    default: listArguments ?? []
    }
  }

  // MARK: The server

  private func qwink(_ rule: HidingRule, at now: Date) -> Qwink {
    var qwink = rule.qwink(in: filterPlace, at: now)
    switch self {
    case .conversations, .chat, .stream("direct"): qwink.visibility = .direct
    default: break
    }
    return qwink
  }

  /// Returns a server with one qwink for each rule.
  func transport(at now: Date) -> ScriptedTransport {
    let qwinks = Self.rules.map { qwink($0, at: now) }
    return ScriptedTransport { request in
      let path = request.head.path ?? ""
      let isFirst = HidingAnswers.isFirstPage(path)
      return .json(isFirst ? answer(to: String(path.prefix { $0 != "?" }), qwinks, now) : Array("[]".utf8))
    }
  }

  /// A qwink as another server sends it.
  private static func foreign(_ qwink: Qwink) -> Qwink {
    var sent = HidingAnswers.foreign(qwink)
    sent.url = sent.url ?? "https://social.example/posts/\(sent.id)"
    return sent
  }

  private func answer(to path: String, _ qwinks: [Qwink], _ now: Date) -> [UInt8] {
    let parts = path.split(separator: "/").map(String.init)
    let qwink = parts.count > 3 ? qwinks.first { $0.id.rawValue == parts[3] } : nil
    switch path {
    case "/api/v2/instance":
      return WireEncoder.serverInfoV2(ServerInfo(title: "Hiding", domain: "writing.example", version: "4.3.0"))
    case "/api/v1/accounts/verify_credentials": return WireEncoder.qwinker(.sample("mara"), ownNote: "")
    case "/api/v1/accounts/lookup": return WireEncoder.qwinker(Self.host)
    case "/api/v1/lists": return WireEncoder.lists([PersonalList(id: "5", title: "Kiosks")])
    case "/api/v2/search": return WireEncoder.searchResults(SearchResults(qwinks: qwinks))
    case "/api/v1/notifications":
      let sender = self == .sender ? Self.host : nil
      return WireEncoder.notifications(qwinks.map { HidingAnswers.notification(.mention, of: $0, by: sender) })
    case "/api/v1/notifications/requests":
      return WireEncoder.notificationRequests(qwinks.map { HidingAnswers.request(by: $0.author, with: $0) })
    case "/api/v1/conversations":
      let all = qwinks.map { Conversation(id: .init("c\($0.id)"), participants: [$0.author], lastQwink: $0) }
      return WireEncoder.conversations(all)
    case "/api/v1/statuses/\(Self.root)":
      return WireEncoder.qwink(.sample(id: .init(Self.root), text: "Root", at: now))
    case "/api/v1/statuses/\(Self.root)/context":
      let thread = self == .ancestors ? QwinkThread(ancestors: qwinks) : QwinkThread(descendants: qwinks)
      return WireEncoder.thread(thread)
    case _ where path.hasSuffix("/context"): return WireEncoder.thread(QwinkThread())
    case "/api/v2/filters": return WireEncoder.filters(self == .remote ? HidingAnswers.filters(of: qwinks) : [])
    case "/api/v1/mutes", "/api/v1/blocks", "/api/v1/domain_blocks": return Array("[]".utf8)
    case "/api/v1/timelines/public" where self == .remote: return WireEncoder.qwinks(qwinks.map(Self.foreign))
    case _ where path.hasSuffix("/translate"):
      let translation = qwink.map { Translation(text: $0.text, contentWarning: $0.contentWarning) }
      return WireEncoder.translation(translation ?? Translation(text: RichText()))
    case _ where path.hasSuffix("/history"):
      let versions = qwink.map { qwink in
        QwinkVersion(
          createdAt: qwink.createdAt, text: qwink.text, contentWarning: qwink.contentWarning,
          isSensitive: qwink.isSensitive, attachments: qwink.attachments)
      }
      return WireEncoder.versions(versions.map { [$0] } ?? [], by: Self.host)
    default: return qwink.map { WireEncoder.qwink($0) } ?? WireEncoder.qwinks(qwinks)
    }
  }
}
