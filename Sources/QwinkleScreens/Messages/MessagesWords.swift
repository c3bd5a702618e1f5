import PaneKit
public import QwinkleModel

/// Texts of the conversations, of a chat and of the recipient prompt.
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

  /// Shown in the row of a conversation whose last message was deleted.
  public static let lastDeleted = "Last message deleted"
  static let notSentStart = "not sent: "

  /// The audience of a message; nil for a direct message. Servers may include other qwinks in conversations.
  public static func audience(of qwink: Qwink) -> String? {
    qwink.audience == .mentioned ? nil : QwinkWords.words(qwink.audience)
  }

  /// Confirmation for deleting a conversation with `names` that has `unsent` unsent messages.
  static func askToDelete(with names: String, unsent: Int) -> String {
    unsent > 0
      ? "Delete the conversation with \(names) and \(Counted.words(unsent, "unsent message"))?"
      : "Delete the conversation with \(names)? Others keep their copy."
  }

  static let cannotDelete = "This server can't delete it."

  /// Confirmation for hiding a conversation that the server can't delete.
  static func askToHide(with names: String) -> String {
    "\(cannotDelete) Hide the conversation with \(names) until the next message?"
  }

  // MARK: Chat

  static let fetchingMessages = "Fetching messages…"
  static let allDeleted = "All messages here were deleted. New ones go to the same people."

  /// The recipients, shown below the entry. The second form is used if people outside the chat get the message too.
  static func onlyTo(_ names: String) -> String { "to \(names) only" }
  static func to(_ names: String) -> String { "to \(names)" }

  /// A warning that people outside the chat get the message too.
  static func alsoTo(_ names: String) -> String { "also to \(names)" }

  /// Confirmation for sending a message that also goes to people outside the chat; `isShort` in narrow windows.
  static func askToSend(alsoTo names: String, isShort: Bool) -> String {
    "\(isShort ? "Also to" : "This also goes to") \(names). Send?"
  }

  static let moreDrafts = "Another draft is saved for this chat; :drafts lists both."
  static let lastChat = "Last chat"
  static let firstChat = "First chat"
  /// Hint for Enter after `:set enter sends`.
  static let send = "send"
  /// Hint for the key that leaves the entry in a chat without messages.
  static let back = "back"
  static let draftSaved = "Draft saved"
  static let askToSendAgain = "It may have arrived anyway. Edit and send it again?"
  static let askToDrop = "Delete this unsent message?"

  /// Shown when a message is being sent but could not be saved on disk.
  static func notWrittenDown(_ reason: String) -> String { "Sending, but the message could not be saved. \(reason)" }

  /// Label of the rule above the first unread message.
  static let new = "new"
  /// The user's name in chats.
  static let me = "you"
  static let sending = "sending"

  /// Delivery state of a message that is sent in `seconds`, with the key that undoes it; `isShort` in narrow windows.
  static func sending(in seconds: Int, isWriting: Bool, isShort: Bool = false) -> String {
    let words = isShort ? "\(seconds) s" : "\(sending) in \(seconds) s"
    return isWriting ? ActionWords.undoableOutside(words) : ActionWords.undoable(words)
  }
  static let sent = "sent"
  /// Names of the user's actions, for ``Account/undo()``.
  static let sendingAgain = "Sending again"
  static let editing = "Editing the unsent message"
  static let deletingConversation = "Deleting the conversation"
  /// Shown after the user restores a deleted unsent message.
  static let unsentAgain = "Unsent message restored"

  /// Keys for a message that was not sent.
  static let notSentKeys: [(key: String, word: String)] = [
    (Action.open.key, "retries"), (Action.edit.key, "edits"), (Action.delete.key, "deletes"),
  ]

  // MARK: Recipients

  static let newMessage = "New message"
  static let recipients = "To:"
  static let nameMissing = "Type a name first, such as alice or bob@example.org."
  static let recipientKeys: [(key: String, word: String, priority: Int)] = [
    (Action.promptRun.key, "write", 3), (Action.promptComplete.key, "next", 1), (",", "add a name", 0),
    (Action.promptLeave.key, "close", 2),
  ]

  /// Shown if no user has exactly this name. `isLast` is whether the name was typed last: matches are listed only for
  /// that name.
  static func noExactMatch(_ name: String, isLast: Bool) -> String {
    "No exact match for \(name). "
      + (isLast ? "\(Action.promptRun.key) takes the selected one." : "Type the full name.")
  }

  /// Shown if the server knows no user with this name.
  static func unknownName(_ name: String) -> String {
    "No user \(name) here. On other servers, type the full name: bob@example.org."
  }
}
