/// A change that is reported to streams. Listeners receive only the changes that they are allowed to see.
enum ServiceEvent: Sendable {
  case posted(Int64)
  case edited(Int64)
  /// A status was deleted together with its boosts, or a boost was deleted. The facts were read in the same
  /// transaction.
  case deleted(StatusFacts)
  /// An account received the notification with this id.
  case notified(Int64, account: Int64)
  /// A status was added to the conversation with this id, whose participants are `accounts`.
  case conversation(Int64, accounts: Set<Int64>)
  case filtersChanged(account: Int64)

  /// Whether the event is about a status, and thus reported to timeline streams.
  var isAboutStatus: Bool {
    switch self {
    case .posted, .edited, .deleted: true
    case .notified, .conversation, .filtersChanged: false
    }
  }
}
