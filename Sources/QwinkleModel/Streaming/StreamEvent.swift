/// An event from a stream.
public enum StreamEvent: Hashable, Sendable {
  /// A new qwink. Each `source` is the JSON (UTF-8) as the server sent it, for caches and commands.
  case posted(Qwink, source: [UInt8])
  case edited(Qwink)
  /// A qwink or boost was deleted.
  case deleted(Qwink.ID)
  case notified(AccountNotification, source: [UInt8])
  /// A new or changed message in a conversation.
  case conversation(Conversation, source: [UInt8])
  /// The user's filters have changed, so the server may now hide or flag different qwinks.
  case filtersChanged
  /// The notifications of an accepted request are in the list now.
  case notificationsMerged
}
