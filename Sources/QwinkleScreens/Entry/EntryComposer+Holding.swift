import QwinkleAccount
import QwinkleModel

/// Entries that can be taken back for some seconds.
extension EntryComposer {
  /// Whether it is held: an edit can be edited again, and a direct message is a part of a conversation.
  var isHeld: Bool { account.held.isOn && !purpose.isEdit && rules.outgoing(entry).visibility != .direct }

  /// Leaves it, or its `parts`, to the account, which holds and then sends it.
  func hold(_ outgoing: OutgoingEntry, parts: [Entry]? = nil) {
    account.posts.hold(outgoing, as: rules.outgoing(entry), parts: parts)
    beginAnew()
    delegate?.composerDidQueue(self)
  }
}
