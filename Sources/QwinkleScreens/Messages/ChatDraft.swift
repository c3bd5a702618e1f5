import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// The text being written in a chat and its files, saved as the user types. While the chat is on screen, the draft
/// can't be opened elsewhere.
@MainActor
final class ChatDraft {
  private struct Content: Equatable {
    var text = ""
    /// The ids of the files that are on the server, in order.
    var attachmentIDs: [String] = []
    /// Details of the files that are on the server.
    var files: [OutgoingFile] = []
    /// The files that the server doesn't have yet.
    var givenFiles: [GivenFile] = []

    /// Adds the files of a draft before its own files.
    mutating func add(filesOf other: OutgoingEntry) {
      let ids = other.entry.attachmentIDs
      attachmentIDs = ids + attachmentIDs.filter { !ids.contains($0) }
      files += (other.files ?? []).filter { file in !files.contains { $0.id == file.id } }
      let given = other.givenFiles
      givenFiles = given + givenFiles.filter { file in !given.contains { $0.path == file.path } }
    }
  }

  private let keeper: DraftKeeper
  private let purpose: EntryPurpose
  private var content = Content()
  /// Shows messages about files, and sends the draft once its files are ready.
  weak var delegate: (any ChatDraftDelegate)?
  private lazy var subject = purpose.subject

  /// Returns the cursor position, in characters.
  var cursor: (@MainActor () -> Int)?
  /// Called with the reason when saving starts to fail.
  var didFail: (@MainActor (StoreError) -> Void)?
  private var isFailing = false

  init(_ conversation: Conversation, in drafts: OutgoingStore?, clock: any ProgramClock) {
    purpose = .conversation(conversation)
    keeper = DraftKeeper(purpose, in: drafts, clock: clock)
    keeper.didKeep = { [weak self] in self?.note($0) }
  }

  /// Loads the saved draft and adds its files, unless the user is already writing; then `done` isn't called. `done`
  /// receives the draft's text, empty if there is no draft, and the result of loading it.
  func take(_ done: @escaping @MainActor (_ text: String, OutgoingStore.Taken) -> Void) {
    guard isEmpty else { return }
    keeper.take { [weak self] taken in
      // Without a save, which would replace the stored text before the text field contains it.
      if let self, let entry = taken.entry { content.add(filesOf: entry) }
      done(taken.entry?.entry.text ?? "", taken)
    }
  }

  /// Deletes the draft. Returns the deleted draft, if any.
  func discard() -> OutgoingEntry? {
    let discarded = draftToSave
    content = Content()
    keeper.forget()
    return discarded
  }

  /// Adds the files of another draft of this chat before its own files.
  func addFiles(of other: OutgoingEntry) { change { $0.add(filesOf: other) } }

  /// Adds the files of a message that wasn't sent.
  func addFiles(of message: OutgoingMessage) {
    addFiles(of: OutgoingEntry(purpose: purpose.key, entry: message.entry, files: message.files))
  }

  /// Whether there is neither text nor a file.
  var isEmpty: Bool { content.text.isEmpty && content.attachmentIDs.isEmpty && content.givenFiles.isEmpty }

  /// Identifier of the saved draft, for a caller that replaces it.
  var id: String { keeper.id }

  /// Updates the text and schedules a save.
  func change(to text: String) {
    change { $0.text = text }
  }

  private func change(_ change: (inout Content) -> Void) {
    let former = content
    change(&content)
    guard content != former else { return }
    keeper.noteChange(size: content.text.utf8.count) { [weak self] in self?.draftToSave }
  }

  private var draftToSave: OutgoingEntry? {
    guard !isEmpty else { return nil }
    let fields: [EntryField: String] = givenFiles.isEmpty ? [:] : [.givenFiles: GivenFile.text(of: givenFiles)]
    return OutgoingEntry(
      id: keeper.id, purpose: purpose.key,
      entry: Entry(
        text: content.text, visibility: .direct, attachmentIDs: content.attachmentIDs, idempotencyKey: UUID().uuidString
      ),
      subject: subject, cursor: cursor?(), files: content.files.isEmpty ? nil : content.files,
      fields: EntryField.saved(fields))
  }

  /// Saves unsaved changes now.
  func keepPending() { keeper.keepPending() }

  /// Saves the draft and deletes the outbox item `message` in the same transaction.
  func keep(insteadOf message: String, done: @escaping @MainActor (StoreError?) -> Void) {
    keeper.keep(draftToSave, insteadOf: message, done: done)
  }

  /// Saves and releases the draft, so that it can be opened elsewhere. If saving fails, calls `failed` and leaves the
  /// draft in memory.
  func leave(failed: @escaping @MainActor (StoreError) -> Void) {
    didFail = nil
    if keeper.isPending || isFailing { keeper.keep(draftToSave) { error in if let error { failed(error) } } }
    keeper.leave()
    content = Content()
  }

  /// Starts a new, empty draft without deleting the saved one, which belongs to the caller now.
  func detach() {
    content = Content()
    keeper.detach()
  }

  private func note(_ error: StoreError?) {
    defer { isFailing = error != nil }
    if let error, !isFailing { didFail?(error) }
  }
}

/// Shows messages about a draft's files, and sends the draft.
@MainActor
protocol ChatDraftDelegate: AnyObject {
  func draftNeedsTypedText(_ draft: ChatDraft)
  func draftMayBeSent(_ draft: ChatDraft)
  func draft(_ draft: ChatDraft, says sentence: String, isError: Bool)
}

extension ChatDraft: AttachmentsOwner {
  var isEditable: Bool { true }
  var filesRefusal: String? { nil }

  var attachmentIDs: [String] {
    get { content.attachmentIDs }
    set { change { $0.attachmentIDs = newValue } }
  }

  var givenFiles: [GivenFile] {
    get { content.givenFiles }
    set { change { $0.givenFiles = newValue } }
  }

  var knownFiles: [OutgoingFile] {
    attachmentIDs.map { id in content.files.first { $0.id == id } ?? OutgoingFile(id: id) }
  }

  func noteFiles(_ files: [OutgoingFile]) { change { $0.files = files } }
  func takeTypedText() { delegate?.draftNeedsTypedText(self) }
  func send() { delegate?.draftMayBeSent(self) }
  func fail(_ sentence: String?) { if let sentence { delegate?.draft(self, says: sentence, isError: true) } }
  func say(_ sentence: String) { delegate?.draft(self, says: sentence, isError: false) }
  func clearMessages() {}
}
