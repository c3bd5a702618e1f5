/// Something that happened, by which streams are fed. It says what to look up; each listener is told what they may see.
enum ServiceEvent: Sendable {
  /// A status or boost was added.
  case posted(Int64)
  case edited(Int64)
  /// A status or boost was deleted, which these listeners could see: those that there were at a moment of the hub.
  case deleted(Int64, Set<Audience>, EventHub.Moment)
  case notified(Int64, account: Int64)
  /// Something was written in a conversation of these accounts.
  case conversation(Int64, accounts: Set<Int64>)
  /// An account changed its filters.
  case filtersChanged(account: Int64)

  /// An account, or nobody, at a stream.
  struct Audience: Hashable, Sendable {
    var viewer: Int64?
    var stream: StreamName
  }
}
