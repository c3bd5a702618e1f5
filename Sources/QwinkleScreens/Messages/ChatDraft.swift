import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// What is being written in a chat, kept as it is typed. While the chat is on the screen nobody else has it.
@MainActor
final class ChatDraft {
  private let keeper: DraftKeeper
  private let purpose: EntryPurpose
  private var text = ""
  private lazy var subject = purpose.subject

  /// Returns how many characters of the text are before the cursor.
  var cursor: (@MainActor () -> Int)?
  /// Told why it cannot be kept, when that begins.
  var didFail: (@MainActor (StoreError) -> Void)?
  private var isFailing = false

  init(_ conversation: Conversation, in drafts: OutgoingStore?, clock: any ProgramClock) {
    purpose = .conversation(conversation)
    keeper = DraftKeeper(purpose, in: drafts, clock: clock)
    keeper.didKeep = { [weak self] in self?.note($0) }
  }

  /// Takes up what was kept, where nothing is being written. `done` hears its text, what is known of others, and no
  /// more than that where there is nothing.
  func take(_ done: @escaping @MainActor (_ text: String, OutgoingStore.Taken) -> Void) {
    guard text.isEmpty else { return }
    keeper.take { taken in done(taken.entry?.entry.text ?? "", taken) }
  }

  /// Deletes it. Returns what was deleted; nil if there is nothing.
  func discard() -> OutgoingEntry? {
    let discarded = kept
    text = ""
    keeper.forget()
    return discarded
  }

  /// What it is kept as, for who keeps something in its place.
  var id: String { keeper.id }

  /// Notes what stands there now.
  func change(to text: String) {
    guard text != self.text else { return }
    self.text = text
    keeper.noteChange(size: text.utf8.count) { [weak self] in self?.kept }
  }

  private var kept: OutgoingEntry? {
    guard !text.isEmpty else { return nil }
    return OutgoingEntry(
      id: keeper.id, purpose: purpose.key,
      entry: Entry(text: text, visibility: .direct, idempotencyKey: UUID().uuidString), subject: subject,
      cursor: cursor?())
  }

  /// Keeps what waits to be kept, now.
  func keepPending() { keeper.keepPending() }

  /// Keeps what stands there in the place of `message`.
  func keep(insteadOf message: String, done: @escaping @MainActor (StoreError?) -> Void) {
    keeper.keep(kept, insteadOf: message, done: done)
  }

  /// Keeps it, and leaves it to who writes there next. `failed` hears why it cannot be kept; it stays in memory then.
  func leave(failed: @escaping @MainActor (StoreError) -> Void) {
    didFail = nil
    if keeper.isPending || isFailing { keeper.keep(kept) { error in if let error { failed(error) } } }
    text = ""
    keeper.leave()
  }

  /// Goes on with an empty text: what stood there is kept as something else.
  func detach() {
    text = ""
    keeper.detach()
  }

  private func note(_ error: StoreError?) {
    defer { isFailing = error != nil }
    if let error, !isFailing { didFail?(error) }
  }
}
