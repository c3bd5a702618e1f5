/// Something that a stream tells.
public enum StreamEvent: Hashable, Sendable {
  /// A qwink has come. `source` is its JSON (UTF-8) as the server sent it, for caches.
  case posted(Qwink, source: [UInt8])
  case edited(Qwink)
  /// A qwink or boost was deleted.
  case deleted(Qwink.ID)
  case notified(AccountNotification)
  /// Something was written in a conversation.
  case conversation(Conversation)
  /// My filters have changed: what the server hides or warns of may be other qwinks now.
  case filtersChanged
}
