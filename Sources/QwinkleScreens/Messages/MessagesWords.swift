import PaneKit
public import QwinkleModel

/// The words of the conversations, of a chat and of the line that asks for recipients.
public enum MessagesWords {
  // MARK: Conversations

  static let title = "Messages"
  static let needsAccount = "Messages need an account."
  static let fetching = "Fetching your conversations…"
  static let fetchingOlder = "Fetching older conversations…"
  static let none = "No messages yet."
  static let writes = (Action.message.key, "writes a message")
  static let notListed = "This server does not list conversations."
  static let stillSending = "A message is still being sent. Delete the conversation after that."

  /// Stands in the row of a conversation whose last message is gone.
  public static let lastDeleted = "Last message deleted"
  static let notSentStart = "not sent: "

  /// The audience of a message; nil for a direct message. Servers may have other qwinks in conversations.
  public static func audience(of qwink: Qwink) -> String? {
    qwink.audience == .mentioned ? nil : QwinkWords.words(qwink.audience)
  }

  /// Asks whether to delete a conversation with `names`, with so many messages that were not sent.
  static func askToDelete(with names: String, unsent: Int) -> String {
    unsent > 0
      ? "Delete the conversation with \(names) and \(Counted.words(unsent, "unsent message"))?"
      : "Delete the conversation with \(names)? Others keep their copy."
  }

  static let cannotDelete = "This server can't delete it."

  /// The same for a conversation that the server can't delete.
  static func askToHide(with names: String) -> String {
    "\(cannotDelete) Hide the conversation with \(names) until the next message?"
  }

  // MARK: Chat

  static let fetchingMessages = "Fetching messages…"
  static let allDeleted = "All messages here were deleted. New ones go to the same people."

  /// Below what is being written: who gets it, if nobody else does, and if others do.
  static func onlyTo(_ names: String) -> String { "to \(names) only" }
  static func to(_ names: String) -> String { "to \(names)" }

  /// A warning that people outside the chat get the message too.
  static func alsoTo(_ names: String) -> String { "also to \(names)" }

  /// The question before such a message is sent; `isShort` in narrow windows.
  static func askToSend(alsoTo names: String, isShort: Bool) -> String {
    "\(isShort ? "Also to" : "This also goes to") \(names). Send?"
  }

  static let moreDrafts = "Another draft is saved for this chat; :drafts lists both."
  static let lastChat = "Last chat"
  static let firstChat = "First chat"
  /// What Enter does after `:set enter sends`.
  static let send = "send"
  /// What the key that leaves the entry does in a chat without messages.
  static let back = "back"
  static let draftSaved = "Draft saved"
  static let askToSendAgain = "It may have arrived anyway. Edit and send it again?"
  static let askToDrop = "Delete this unsent message?"

  /// A message is being sent that could not be saved on disk.
  static func notWrittenDown(_ reason: String) -> String { "Sending, but the message could not be saved. \(reason)" }

  /// Stands in the rule above the first unread message.
  static let new = "new"
  /// The reader, among those who speak.
  static let me = "you"
  static let sending = "sending"

  /// A message that is sent in `seconds`, with the key that undoes it; `isShort` in narrow windows.
  static func sending(in seconds: Int, isWriting: Bool, isShort: Bool = false) -> String {
    let words = isShort ? "\(seconds) s" : "\(sending) in \(seconds) s"
    return isWriting ? ActionWords.undoableOutside(words) : ActionWords.undoable(words)
  }
  static let sent = "sent"
  /// Actions of the user, for ``Account/undo()``.
  static let sendingAgain = "Sending again"
  static let editing = "Editing the unsent message"
  static let deletingConversation = "Deleting the conversation"
  /// The result of undoing the deletion of an unsent message.
  static let unsentAgain = "Unsent message restored"

  /// The keys for a message that was not sent.
  static let notSentKeys: [(key: String, word: String)] = [
    (Action.open.key, "retries"), (Action.edit.key, "edits"), (Action.delete.key, "deletes"),
  ]

  // MARK: Recipients

  static let newMessage = "New message"
  static let recipients = "To:"
  static let nameMissing = "Type a name first, such as alice or bob@example.org."
  static let recipientKeys: [(key: String, word: String, priority: Int)] = [
    ("Enter", "write", 3), ("Tab", "next", 1), (",", "add a name", 0), ("Esc", "close", 2),
  ]

  /// Nobody has exactly this name; others are listed if it is the `last` one typed.
  static func noExactMatch(_ name: String, isLast: Bool) -> String {
    "No exact match for \(name). " + (isLast ? "Enter takes the selected one." : "Type the full name.")
  }

  /// The server knows nobody of this name.
  static func unknownName(_ name: String) -> String {
    "No user \(name) here. On other servers, type the full name: bob@example.org."
  }
}
