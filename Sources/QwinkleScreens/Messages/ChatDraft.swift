import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// What is being written in a chat, kept on every pause in typing.
@MainActor
final class ChatDraft {
  private static let delay = Duration.milliseconds(300)

  private let drafts: DraftFile?
  private let purpose: EntryPurpose
  private let clock: any ProgramClock
  private let start: Entry
  private var timer: ProgramTimer?
  private var text: String

  init(_ conversation: Conversation, in drafts: DraftFile?, clock: any ProgramClock) {
    self.drafts = drafts
    self.clock = clock
    purpose = .conversation(conversation)
    start = Entry(text: "", visibility: .direct, idempotencyKey: "")
    text = drafts?.load(purpose)?.text ?? ""
  }

  /// What was kept, or is to be.
  var kept: String { text }

  /// Keeps `text` after a moment. `failed` hears why it cannot be kept.
  func keepSoon(_ text: String, failed: @escaping @MainActor (StoreError) -> Void) {
    guard text != self.text else { return }
    self.text = text
    timer = clock.schedule(after: Self.delay) { [weak self] in
      do throws(StoreError) { try self?.keep() } catch { failed(error) }
    }
  }

  /// Keeps what waits to be kept, now.
  func keep() throws(StoreError) {
    guard timer != nil else { return }
    timer = nil
    var entry = start
    entry.text = text
    try drafts?.save(entry, for: purpose)
  }

  /// Forgets it: it has been sent.
  func forget() {
    timer = nil
    text = ""
    try? drafts?.save(nil, for: purpose)
  }
}
