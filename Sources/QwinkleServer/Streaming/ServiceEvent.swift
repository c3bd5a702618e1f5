/// A change that streams report. Each listener receives what it may see of the change.
enum ServiceEvent: Sendable {
  /// A status or boost was added.
  case posted(Int64)
  case edited(Int64)
  /// A status was deleted with its boosts, or a boost was. The facts are from the same transaction.
  case deleted(StatusFacts)
  case notified(Int64, account: Int64)
  /// A status was added to a conversation of these accounts.
  case conversation(Int64, accounts: Set<Int64>)
  /// An account changed its filters.
  case filtersChanged(account: Int64)

  /// Whether streams of timelines report it.
  var isAboutStatus: Bool {
    switch self {
    case .posted, .edited, .deleted: true
    case .notified, .conversation, .filtersChanged: false
    }
  }
}
