import QwinkleModel
import QwinkleTesting

@testable import QwinkleScreens

/// A place on the screen that shows qwinks of other users.
enum HidingPlace: Hashable, Sendable {
  case timeline(TimelineName)
  /// A timeline of another server, which doesn't know the user's mutes, blocks and filters.
  case remote
  /// Above the rows of a profile.
  case pinned
  /// A timeline in which the reader has switched to the translations.
  case translated
  case view
  case catchUp
  case ancestor, focus, reply
  /// A reply from the author's server, which doesn't know the user's mutes, blocks and filters.
  case foreignReply
  case conversations, chat
  case notifications(AccountNotification.Kind)
  /// The last qwink of a sender whose notifications were filtered, and the sender's notifications.
  case requests, sender
  case search
  /// The entry, which shows its parent.
  case replyQuote
  /// The entry, which shows the qwink that it quotes.
  case quoteEntry
  case drafts, outbox
  case versions, pictures, resources

  static let host = Qwinker.sample("host")

  static let all: [HidingPlace] = {
    var places = sequence(first: TimelineName.public, next: following).map { HidingPlace.timeline($0) }
    places += [
      .pinned, .translated, .view, .remote, .catchUp, .ancestor, .focus, .reply, .foreignReply, .conversations, .chat,
    ]
    places += sequence(first: AccountNotification.Kind.mention, next: following).filter(hasQwink)
      .map { HidingPlace.notifications($0) }
    places += [.requests, .sender, .search, .replyQuote, .quoteEntry, .drafts, .outbox, .versions, .pictures]
    places += [.resources]
    return places
  }()

  // MARK: Completeness

  /// Returns the places of a screen. Every new screen must be added here.
  static func places(of place: Place) -> [HidingPlace] {
    switch place {
    case .thread: [.ancestor, .focus, .reply, .foreignReply, .replyQuote, .quoteEntry]
    case .qwinker(let qwinker): [.timeline(.qwinker(qwinker.id)), .pinned]
    case .timeline(.public): [.timeline(.public), .translated]
    case .timeline(let name): [.timeline(name)]
    case .remote: [.remote]
    case .versions: [.versions]
    case .pictures: [.pictures]
    case .conversation: [.chat]
    case .search: [.search]
    case .view: [.view]
    case .catchUp: [.catchUp]
    case .drafts: [.drafts]
    case .outbox: [.outbox]
    case .resources: [.resources]
    // Accounts and managed lists, without qwinks.
    case .records(.filtered): [.requests]
    case .filteredNotifications: [.sender]
    case .qwinkers, .collections, .records: []
    // FilterUseTests checks that only the listed filter doesn't apply.
    case .filterMatches: []
    }
  }

  /// Returns the initial places of a section. Every new section must be added here.
  static func places(of section: Section) -> [HidingPlace] {
    switch section {
    case .public: [.timeline(.public)]
    case .home: [.timeline(.home)]
    case .bookmarks: [.timeline(.bookmarks)]
    case .messages: [.conversations, .chat]
    case .notifications: all.filter { if case .notifications = $0 { true } else { false } }
    case .search: [.search]
    case .views: [.view]
    }
  }

  /// Returns the kind of timeline after `name`. Every new kind must be added to this chain.
  private static func following(_ name: TimelineName) -> TimelineName? {
    switch name {
    case .public: .local
    case .local: .home
    case .home: .tag("garden")
    case .tag: .list("5", title: "Kiosks")
    case .list: .qwinker(host.id)
    case .qwinker: .part(.withoutReplies, of: host.id)
    case .part(.withoutReplies, _, _): .part(.media, of: host.id)
    case .part(.media, _, _): .part(.pinned, of: host.id)
    case .part(.pinned, _, _): .bookmarks
    case .bookmarks: .favourites
    case .favourites: .trending
    case .trending: .quotes(of: root.id)
    case .quotes: nil
    }
  }

  /// Returns the kind of notification after `kind`. Every new kind must be added to this chain.
  private static func following(_ kind: AccountNotification.Kind) -> AccountNotification.Kind? {
    switch kind {
    case .mention: .boost
    case .boost: .favourite
    case .favourite: .follow
    case .follow: .followRequest
    case .followRequest: .poll
    case .poll: .qwink
    case .qwink: .edit
    case .edit: .reaction("👍")
    case .reaction: .quote
    case .quote: .move
    case .move: .quotedEdit
    case .quotedEdit: .severance
    case .severance: .warning
    case .warning: .annualReport
    case .annualReport: .signUp
    case .signUp: .report
    case .report: .collectionAdd
    case .collectionAdd: .collectionEdit
    case .collectionEdit: .other("garden_party")
    case .other: nil
    }
  }

  private static func hasQwink(_ kind: AccountNotification.Kind) -> Bool {
    switch kind {
    case .follow, .followRequest, .move, .severance, .warning, .annualReport, .signUp, .report, .collectionAdd,
      .collectionEdit:
      false
    case .mention, .boost, .favourite, .poll, .qwink, .edit, .reaction, .quote, .quotedEdit, .other: true
    }
  }

  // MARK: Traits

  var traits: HidingTraits {
    var traits = HidingTraits(in: filterPlace)
    switch self {
    case .timeline(let name):
      switch name {
      case .public, .local, .home, .tag, .list, .trending, .quotes: break
      case .bookmarks, .favourites: traits.leavesOutPeople = false
      case .qwinker, .part:
        traits.leavesOutPeople = false
        traits.leavesOutDirect = true
      }
    case .pinned:
      traits.leavesOutPeople = false
      traits.leavesOutDirect = true
    case .translated, .view, .remote, .catchUp, .search: break
    case .reply, .foreignReply: traits.leavesOutFiltered = false
    case .ancestor, .focus, .chat, .replyQuote, .quoteEntry:
      traits.leavesOutFiltered = false
      traits.leavesOutPeople = false
    case .conversations:
      traits.leavesOutFiltered = false
      traits.showsQuotes = false
      traits.describesPictures = false
    case .notifications, .requests, .sender:
      traits.showsQuotes = false
      traits.describesPictures = false
    case .drafts, .outbox, .versions, .pictures, .resources:
      traits.leavesOutFiltered = false
      traits.leavesOutPeople = false
      traits.showsQuotes = false
      traits.describesPictures = false
    }
    return traits
  }

  private var filterPlace: FilterPlace? {
    switch self {
    case .timeline(.public), .timeline(.local), .timeline(.tag), .timeline(.trending), .timeline(.quotes), .remote,
      .translated, .search:
      .public
    case .timeline(.home), .timeline(.list), .timeline(.bookmarks), .timeline(.favourites), .view, .catchUp: .home
    case .timeline(.qwinker), .timeline(.part), .pinned: .account
    case .notifications, .requests, .sender: .notifications
    case .ancestor, .focus, .reply, .foreignReply, .conversations, .chat: .thread
    case .replyQuote, .quoteEntry, .drafts, .outbox, .versions, .pictures, .resources: nil
    }
  }

  /// The rules that apply to the place.
  var rules: [HidingRule] {
    HidingRule.all.filter { rule in
      switch self {
      case .timeline, .catchUp: true
      // The store has only originals.
      case .view: rule != .mutedBooster && rule != .direct
      // A chat is opened by the name of its participant.
      case .chat: rule != .mutedBooster && rule != .mutedAuthor && rule != .blockedAuthor
      case .pictures: rule != .mutedBooster && !rule.isQuote
      default: rule != .mutedBooster
      }
    }
  }

  /// Whether an open place withholds a quote as soon as the quoted qwink is deleted.
  var observesDeletions: Bool {
    switch self {
    case .timeline, .pinned, .translated, .view, .catchUp, .ancestor, .focus, .reply, .chat, .search: true
    // The other server uses other ids.
    case .remote, .foreignReply: false
    case .conversations, .notifications, .requests, .sender, .replyQuote, .quoteEntry, .drafts, .outbox, .versions,
      .pictures, .resources:
      false
    }
  }

  /// Whether an open place shows hidden content as soon as its filter expires.
  var observesExpiry: Bool {
    switch self {
    case .timeline, .pinned, .translated, .view, .remote, .catchUp, .ancestor, .focus, .reply, .foreignReply,
      .conversations,
      .chat, .notifications, .requests, .search, .drafts, .outbox, .versions, .pictures, .resources:
      true
    // Hidden notifications aren't loaded.
    case .sender: false
    // The entry shows the version of the qwink that was loaded when the reply or the quote began.
    case .replyQuote, .quoteEntry: false
    }
  }

  // MARK: Qwinks

  /// Returns the qwink of a rule as the server sends it to this place.
  func qwink(_ rule: HidingRule) -> Qwink {
    var qwink = rule.qwink(in: filterPlace, at: ScriptedTimeline.start)
    switch self {
    case .timeline(.part(.pinned, _, _)), .pinned: qwink.isPinned = true
    case .conversations, .chat: qwink.visibility = .direct
    // The text of this screen is the description.
    case .pictures: qwink.attachments = [rule.picture(describedAs: rule.secret)]
    default: break
    }
    return qwink
  }

  /// The qwink whose thread is shown.
  static let root = ScriptedTimeline.qwink(1)

  /// ``root`` by an author on another server.
  static var foreignRoot: Qwink {
    var root = root
    root.url = "https://social.example/@anna/109"
    return root
  }
}
