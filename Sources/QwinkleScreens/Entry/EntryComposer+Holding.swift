import QwinkleAccount
import QwinkleModel

/// Entries whose sending is delayed, so that it can be undone.
extension EntryComposer {
  /// Whether sending is delayed. Edits are sent at once, because the user can edit the qwink again.
  var isHeld: Bool { account.pendingActions.isOn && !purpose.isEdit }

  /// Passes the entry or its `parts` to the account, which sends it after the delay.
  func hold(_ outgoing: OutgoingEntry, parts: [Entry]? = nil) {
    account.posts.hold(outgoing, as: rules.outgoing(entry), parts: parts)
    beginAnew()
    delegate?.composerDidQueue(self)
  }
}
