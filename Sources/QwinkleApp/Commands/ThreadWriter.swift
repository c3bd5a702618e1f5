import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore

/// Posts the parts of a thread for a command. All parts are saved to the outbox before the first one is sent. Each part
/// stays on hold in the outbox until the previous part has been posted.
@MainActor
final class ThreadWriter: AccountObserver {
  private let writer: Writer
  /// Outbox id of the part being posted. `waiting` contains the ids of the later parts.
  private var current: String?
  private var waiting: [String] = []
  private var posted: [Qwink] = []
  /// The part at which posting stopped: it was not posted, or its posting couldn't be confirmed.
  private var stopped: OutboxItem?
  private var saveError: StoreError?
  private var completion: (@MainActor () -> Void)?

  init(_ writer: Writer) {
    self.writer = writer
    writer.account.addObserver(self)
  }

  private var outbox: Outbox { writer.account.outbox }

  /// Saves the parts of a draft to the outbox without sending them. The next Qwinkle that runs on the account sends
  /// them.
  func queue(_ parts: [Entry], of draft: Writer.Draft) async throws(AppError) {
    let items = writer.account.posts.items(for: parts, insteadOf: draft.outgoing)
    let result = await withCheckedContinuation { continuation in
      writer.store.keep(all: items, insteadOf: draft.outgoing.id) { continuation.resume(returning: $0) }
    }
    if case .failure(let error) = result { throw draft.error("Not queued. \(error.sentence)") }
    StandardOutput.target.note(done: "Queued")
  }

  /// Posts the parts of a draft in order and returns the resulting qwinks.
  ///
  /// - Throws: ``AppError`` that states which part was not posted, why, and where its text is saved.
  func post(_ parts: [Entry], of draft: Writer.Draft) async throws(AppError) -> [Qwink] {
    var items = writer.account.posts.items(for: parts, insteadOf: draft.outgoing)
    // Use a queue for this thread only. In the shared queue, the thread could wait long for items of other Qwinkles.
    items[0].thread = "once/\(items[0].id)"
    for index in items.indices.dropFirst() { items[index].isHeld = true }
    (current, waiting) = (items[0].id, items.dropFirst().map(\.id))
    let all = items
    await withCheckedContinuation { continuation in
      completion = { continuation.resume() }
      outbox.send(thread: all, insteadOf: draft.outgoing.id) { [weak self] error in
        self?.saveError = error
        if error == nil { self?.look() } else { self?.end() }
      }
    }
    if let saveError {
      throw draft.error("Not posted: it could not be saved first. \(saveError.sentence)")
    }
    guard let stopped else { return posted }
    let reason = stopped.reason.map { " \($0)" } ?? ""
    if posted.isEmpty, !stopped.isDoubtful {
      let saved = await writer.drafts.save(draft)
      for item in all.reversed() { outbox.discard(item.id) }
      throw saved.error("Not posted.\(reason)", next: Writer.again)
    }
    throw .failed(
      "Part \(posted.count + 1) of \(parts.count) \(stopped.isDoubtful ? "may have been" : "was not") posted.\(reason) "
        + "It and the parts after it are in the outbox: in qwinkle, :outbox lists and sends them.")
  }

  func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) { posted.append(qwink) }

  func outboxDidChange(_ outbox: Outbox) { look() }

  /// Releases the next part once the current one has been posted. Finishes after the last part, or if posting a part
  /// fails.
  private func look() {
    guard completion != nil, let id = current else { return }
    guard let item = outbox.item(id) else {
      guard !waiting.isEmpty else { return end() }
      let next = waiting.removeFirst()
      current = next
      return outbox.release(next)
    }
    guard outbox.mayChange(id), item.state == .failed || item.reason != nil else { return }
    (stopped, current) = (item, nil)
    if item.state != .failed { outbox.hold(id) }
    end()
  }

  private func end() {
    let completion = completion
    self.completion = nil
    completion?()
  }
}
