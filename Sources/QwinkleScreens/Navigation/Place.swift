import PaneKit
import QwinkleAccount
public import QwinkleConfig
public import QwinkleModel
import QwinkleStore

/// A screen that other screens can open.
public enum Place: Hashable, Sendable {
  /// A qwink with its ancestors and replies.
  case thread(Qwink)
  case qwinker(Qwinker)
  case timeline(TimelineName)
  /// A public timeline of another server.
  case remote(RemoteTimeline)
  /// A list of qwinkers, and the qwinker it belongs to, if any.
  case qwinkers(QwinkerListName, of: Qwinker? = nil)
  /// The collections that a qwinker made, or that feature the qwinker.
  case collections(of: Qwinker, isFeatured: Bool = false)
  /// A qwink's edit history.
  case versions(Qwink)
  /// A qwink's pictures, one at a time.
  case pictures(Qwink)
  case conversation(Conversation)
  case search(String)
  /// A view defined by the user.
  case view(OwnView)
  /// The posts of Home since the user left, in one list.
  case catchUp
  /// The cached qwinks that match a filter.
  case filterMatches(ContentFilter)
  case drafts
  case outbox
  /// Cached files, such as pictures.
  case resources
  /// A list that the server stores for the user, or information for its users.
  case records(ManagedListKind)
  /// The notifications of a sender, including filtered ones.
  case filteredNotifications(from: Qwinker)
}

/// A list that the server stores for the user, or information that the server publishes, such as trends. The
/// restoration archive contains the raw values.
public enum ManagedListKind: String, Hashable, Sendable, CaseIterable {
  case scheduled, lists, filters, tags, announcements, trends, server
  /// The requests of senders whose notifications were filtered.
  case filtered
}

/// Restoration: a place is saved by ID, with enough data to show it at once.
extension Place {
  /// The restoration identifier of a pane that shows the place.
  var restorationIdentifier: String {
    switch self {
    case .thread(let qwink): "thread \(qwink.id.rawValue)"
    case .qwinker(let qwinker): "qwinker \(qwinker.id.rawValue)"
    case .timeline(let name): "timeline \(name.key)"
    case .remote(let timeline): "remote \(timeline.word)"
    case .qwinkers(.followers(let id), _): "followers \(id.rawValue)"
    case .qwinkers(.following(let id), _): "following \(id.rawValue)"
    case .qwinkers(.boosters(let id), _): "boosters \(id.rawValue)"
    case .qwinkers(.favouriters(let id), _): "favouriters \(id.rawValue)"
    case .qwinkers(.members(let id), _): "members \(id.rawValue)"
    case .qwinkers(.collection(let id, _), _): "collection \(id.rawValue)"
    case .collections(let qwinker, let isFeatured):
      "\(isFeatured ? "featured-in" : "collections") \(qwinker.id.rawValue)"
    case .qwinkers(.requesters, _): "requesters"
    case .qwinkers(.blocked, _): "blocked"
    case .qwinkers(.muted, _): "muted"
    case .versions(let qwink): "versions \(qwink.id.rawValue)"
    case .pictures(let qwink): "pictures \(qwink.id.rawValue)"
    case .search(let words): "search \(words)"
    case .view(let view): "view \(view.name)"
    case .catchUp: "catchup"
    case .filterMatches(let filter): "filter-matches \(filter.id.rawValue)"
    case .drafts: "drafts"
    case .outbox: "outbox"
    case .resources: "resources"
    case .records(let kind): "records \(kind.rawValue)"
    case .filteredNotifications(let qwinker): "filtered \(qwinker.id.rawValue)"
    case .conversation(let conversation): "conversation \(conversation.id.rawValue)"
    }
  }

  /// Whether a pane opened for the place always shows that place. If so, opening the place while the pane is visible
  /// doesn't add another pane. False for searches, because the user can type another query; for views, because views
  /// with different rules can share a name; and for conversations, because a reopened chat loads its draft again.
  var isFixed: Bool {
    switch self {
    case .search, .view, .conversation: false
    case .thread, .qwinker, .timeline, .remote, .qwinkers, .collections, .versions, .pictures, .catchUp, .drafts,
      .outbox, .resources, .records, .filteredNotifications, .filterMatches:
      true
    }
  }

  /// State that a pane saves in addition to its identifier.
  var restorationContext: RestorableState {
    switch self {
    case .thread(let qwink), .versions(let qwink), .pictures(let qwink): ["qwink": qwink.restorableText]
    case .qwinkers(.collection(_, let title), _): ["title": title]
    case .qwinker(let qwinker), .qwinkers(_, let qwinker?), .collections(let qwinker, _),
      .filteredNotifications(let qwinker):
      ["qwinker": qwinker.restorableText]
    case .conversation(let conversation): ["conversation": conversation.restorableText]
    case .view(let view): ["rule": view.text]
    case .filterMatches(let filter): ["filter": filter.restorableText]
    case .timeline, .remote, .qwinkers, .search, .catchUp, .drafts, .outbox, .resources, .records: [:]
    }
  }

  /// Restores the place with an identifier. Uses the version of its qwink, qwinker or conversation that is loaded in
  /// `account`, or else the version saved in `state`. Returns nil if neither contains a required version, or if the
  /// identifier is unknown.
  @MainActor
  init?(restorationIdentifier: String, state: RestorableState, in account: Account) {
    let parts = restorationIdentifier.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      let places: [Place] = [
        .catchUp, .drafts, .outbox, .resources, .qwinkers(.requesters), .qwinkers(.blocked), .qwinkers(.muted),
      ]
      guard let place = places.first(where: { $0.restorationIdentifier == restorationIdentifier }) else { return nil }
      self = place
      return
    }
    let value = parts[1]
    func qwink() -> Qwink? {
      account.timelines.knownQwinks.first { $0.id.rawValue == value }
        ?? state["qwink"].flatMap { Qwink(restorableText: $0) }
    }
    func qwinker() -> Qwinker? {
      let known = account.timelines.knownQwinks.flatMap { [$0.author, $0.booster] } + [account.identity.me]
      return known.lazy.compactMap(\.self).first { $0.id.rawValue == value }
        ?? state["qwinker"].flatMap { Qwinker(restorableText: $0) }
    }
    func conversation() -> Conversation? {
      account.inbox.conversation(Conversation.ID(value))
        ?? state["conversation"].flatMap { Conversation(restorableText: $0) }
    }
    let place: Place? =
      switch parts[0] {
      case "thread": qwink().map { .thread($0) }
      case "qwinker": qwinker().map { .qwinker($0) }
      case "filtered": qwinker().map { .filteredNotifications(from: $0) }
      case "timeline": TimelineName(word: value).map { .timeline($0) }
      case "remote": RemoteTimeline(word: value).map { .remote($0) }
      case "followers": .qwinkers(.followers(Qwinker.ID(value)), of: state["qwinker"] == nil ? nil : qwinker())
      case "following": .qwinkers(.following(Qwinker.ID(value)), of: state["qwinker"] == nil ? nil : qwinker())
      case "boosters": .qwinkers(.boosters(Qwink.ID(value)))
      case "favouriters": .qwinkers(.favouriters(Qwink.ID(value)))
      case "members": .qwinkers(.members(PersonalList.ID(value)))
      case "collection": .qwinkers(.collection(QwinkerCollection.ID(value), title: state["title"] ?? ""))
      case "collections": qwinker().map { .collections(of: $0) }
      case "featured-in": qwinker().map { .collections(of: $0, isFeatured: true) }
      case "versions": qwink().map { .versions($0) }
      case "pictures": qwink().map { .pictures($0) }
      case "search": .search(value)
      case "records": ManagedListKind(rawValue: value).map { .records($0) }
      case "view": state["rule"].flatMap { try? OwnView(name: value, text: $0) }.map { .view($0) }
      case "filter-matches": state["filter"].flatMap { ContentFilter(restorableText: $0) }.map { .filterMatches($0) }
      case "conversation": conversation().map { .conversation($0) }
      default: nil
      }
    guard let place else { return nil }
    self = place
  }
}
