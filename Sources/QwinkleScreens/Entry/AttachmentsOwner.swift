import QwinkleAccount
import QwinkleModel

/// The text being written to which ``EntryAttachments`` adds files: an entry, or a message of a chat.
@MainActor
protocol AttachmentsOwner: AnyObject {
  /// Whether the user can change the text and its files now.
  var isEditable: Bool { get }
  /// The reason that the text can't have files at all, if any.
  var filesRefusal: String? { get }
  /// The ids of the files that are on the server, in order.
  var attachmentIDs: [String] { get set }
  /// The files that the server doesn't have yet.
  var givenFiles: [GivenFile] { get set }
  /// The known details of each file in ``attachmentIDs``.
  var knownFiles: [OutgoingFile] { get }

  /// Replaces the stored details of the files that are on the server.
  func noteFiles(_ files: [OutgoingFile])
  /// Adopts text that was typed but not reported yet.
  func takeTypedText()
  /// Sends the text with its files.
  func send()
  /// Shows an error. Nil removes the error.
  func fail(_ sentence: String?)
  func say(_ sentence: String)
  /// Removes the messages shown by ``fail(_:)`` and ``say(_:)``.
  func clearMessages()
}

extension EntryComposer: AttachmentsOwner {
  var isEditable: Bool { activity == .writing }

  var filesRefusal: String? {
    if purpose.isEdit { return EntryFileWords.notInEdits }
    return poll == nil ? nil : EntryFileWords.pollOrFiles
  }

  var knownFiles: [OutgoingFile] { knownFiles(among: files) }

  func takeTypedText() { delegate?.composerNeedsTypedText(self) }
}
