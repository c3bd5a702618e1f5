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
  /// What the file has.
  private var saved: String

  init(_ conversation: Conversation, in drafts: DraftFile?, clock: any ProgramClock) {
    self.drafts = drafts
    self.clock = clock
    purpose = .conversation(conversation)
    start = Entry(text: "", visibility: .direct, idempotencyKey: "")
    text = drafts?.load(purpose)?.text ?? ""
    saved = text
  }

  /// Looks again at what is kept, unless something newer waits to be: the same conversation may be open elsewhere.
  /// Returns whether it is another text now.
  func readAgain() -> Bool {
    guard let drafts, text == saved else { return false }
    saved = drafts.load(purpose)?.text ?? ""
    guard text != saved else { return false }
    text = saved
    return true
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
    timer = nil
    guard text != saved else { return }
    var entry = start
    entry.text = text
    try drafts?.save(entry, for: purpose)
    saved = text
  }

  /// Forgets it: it has been sent.
  func forget() {
    timer = nil
    text = ""
    saved = ""
    try? drafts?.save(nil, for: purpose)
  }
}
