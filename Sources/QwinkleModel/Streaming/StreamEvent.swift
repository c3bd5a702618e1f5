/// Something that a stream tells.
public enum StreamEvent: Hashable, Sendable {
  /// A qwink has come. Each `source` is the JSON (UTF-8) as the server sent it, for caches and commands.
  case posted(Qwink, source: [UInt8])
  case edited(Qwink)
  /// A qwink or boost was deleted.
  case deleted(Qwink.ID)
  case notified(AccountNotification, source: [UInt8])
  /// Something was written in a conversation.
  case conversation(Conversation, source: [UInt8])
  /// My filters have changed: what the server hides or warns of may be other qwinks now.
  case filtersChanged
}
