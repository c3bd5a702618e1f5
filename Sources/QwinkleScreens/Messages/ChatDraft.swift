import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// The text being written in a chat, saved as the user types. While the chat is on screen, the draft can't be opened
/// elsewhere.
@MainActor
final class ChatDraft {
  private let keeper: DraftKeeper
  private let purpose: EntryPurpose
  private var text = ""
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

  /// Loads the saved draft, unless the user is already writing; then `done` isn't called. `done` receives the draft's
  /// text, empty if there is no draft, and the result of loading it.
  func take(_ done: @escaping @MainActor (_ text: String, OutgoingStore.Taken) -> Void) {
    guard text.isEmpty else { return }
    keeper.take { taken in done(taken.entry?.entry.text ?? "", taken) }
  }

  /// Deletes the draft. Returns the deleted draft, if any.
  func discard() -> OutgoingEntry? {
    let discarded = draftToSave
    text = ""
    keeper.forget()
    return discarded
  }

  /// Identifier of the saved draft, for a caller that replaces it.
  var id: String { keeper.id }

  /// Updates the text and schedules a save.
  func change(to text: String) {
    guard text != self.text else { return }
    self.text = text
    keeper.noteChange(size: text.utf8.count) { [weak self] in self?.draftToSave }
  }

  private var draftToSave: OutgoingEntry? {
    guard !text.isEmpty else { return nil }
    return OutgoingEntry(
      id: keeper.id, purpose: purpose.key,
      entry: Entry(text: text, visibility: .direct, idempotencyKey: UUID().uuidString), subject: subject,
      cursor: cursor?())
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
    text = ""
    keeper.leave()
  }

  /// Starts a new, empty draft without deleting the saved one, which belongs to the caller now.
  func detach() {
    text = ""
    keeper.detach()
  }

  private func note(_ error: StoreError?) {
    defer { isFailing = error != nil }
    if let error, !isFailing { didFail?(error) }
  }
}
