import QwinkleAccount
public import QwinkleModel

/// A screen that others can open.
public enum Place: Hashable, Sendable {
  /// A qwink with its ancestors and replies.
  case thread(Qwink)
  case qwinker(Qwinker)
  case timeline(TimelineName)
  /// A list of qwinkers, and whose it is.
  case qwinkers(QwinkerListName, of: Qwinker? = nil)
  /// A qwink's edit history.
  case versions(Qwink)
  case conversation(Conversation)
  case search(String)
  /// What was begun and not sent.
  case drafts
}

/// Places are kept by ids, so only those that are still known can be restored.
extension Place {
  /// The identifier of a pane that shows the place; nil: it is not restored. Chats are not: opening one marks it as
  /// read and puts the cursor into its text.
  var restorationIdentifier: String? {
    switch self {
    case .thread(let qwink): "thread \(qwink.id.rawValue)"
    case .qwinker(let qwinker): "qwinker \(qwinker.id.rawValue)"
    case .timeline(let name): "timeline \(name.key)"
    case .qwinkers(.followers(let id), _): "followers \(id.rawValue)"
    case .qwinkers(.following(let id), _): "following \(id.rawValue)"
    case .qwinkers(.boosters(let id), _): "boosters \(id.rawValue)"
    case .qwinkers(.favouriters(let id), _): "favouriters \(id.rawValue)"
    case .versions(let qwink): "versions \(qwink.id.rawValue)"
    case .search(let words): "search \(words)"
    case .drafts: "drafts"
    case .conversation: nil
    }
  }

  /// The place with that identifier, made from what `account` knows; nil if that is not enough.
  @MainActor
  init?(restorationIdentifier: String, in account: Account) {
    let parts = restorationIdentifier.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      guard restorationIdentifier == Place.drafts.restorationIdentifier else { return nil }
      self = .drafts
      return
    }
    let value = parts[1]
    func qwink() -> Qwink? { account.timelines.knownQwinks.first { $0.id.rawValue == value } }
    func qwinker() -> Qwinker? {
      let known = account.timelines.knownQwinks.flatMap { [$0.author, $0.booster] } + [account.identity.me]
      return known.lazy.compactMap(\.self).first { $0.id.rawValue == value }
    }
    let place: Place? =
      switch parts[0] {
      case "thread": qwink().map { .thread($0) }
      case "qwinker": qwinker().map { .qwinker($0) }
      case "timeline": TimelineName(word: value).map { .timeline($0) }
      case "followers": qwinker().map { .qwinkers(.followers($0.id), of: $0) }
      case "following": qwinker().map { .qwinkers(.following($0.id), of: $0) }
      case "boosters": .qwinkers(.boosters(Qwink.ID(value)))
      case "favouriters": .qwinkers(.favouriters(Qwink.ID(value)))
      case "versions": qwink().map { .versions($0) }
      case "search": .search(value)
      default: nil
      }
    guard let place else { return nil }
    self = place
  }
}
