import QwinkleAccount
import QwinkleModel

/// Entries that can be taken back for some seconds.
extension EntryComposer {
  /// Whether it is held: an edit can be edited again.
  var isHeld: Bool { account.held.isOn && !purpose.isEdit }

  /// Leaves it, or its `parts`, to the account, which holds and then sends it.
  func hold(_ outgoing: OutgoingEntry, parts: [Entry]? = nil) {
    account.posts.hold(outgoing, as: rules.outgoing(entry), parts: parts)
    beginAnew()
    delegate?.composerDidQueue(self)
  }
}
