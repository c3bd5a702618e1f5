import Foundation
import GRDB
import QwinkleModel

/// A row of `outgoing.sqlite`: a draft, or an item of the outbox.
struct OutgoingRow: Sendable {
  let item: OutboxItem
  /// The entry or change as JSON.
  let content: Data

  init(_ item: OutboxItem) {
    self.item = item
    content =
      switch item.content {
      case .entry(let entry): (try? JSONEncoder().encode(entry)) ?? Data()
      case .change(let change): (try? JSONEncoder().encode(change)) ?? Data()
      }
  }

  /// The row of a draft.
  init(_ entry: OutgoingEntry) {
    var item = OutboxItem(entry)
    item.state = .draft
    item.thread = nil
    self.init(item)
  }

  var id: String { item.id }
  var kind: String { item.kind.rawValue }
  var purpose: String { item.purpose }
  /// The key under which it is sent; empty if that needs none.
  var key: String { item.entry.map { $0.sent ?? $0.entry }?.idempotencyKey ?? "" }
  var isDoubtful: Bool { item.isDoubtful }
  var state: String { item.state.rawValue }
  var position: Int { item.position }
  var thread: String? { item.thread }
  var waitsFor: String? { item.waitsFor }
  var nextAttempt: Double? { item.nextAttempt?.timeIntervalSince1970 }
  var attemptCount: Int { item.attemptCount }
  var isHeld: Bool { item.isHeld }
  var reason: String? { item.reason }

  /// The same under a new id, used if another program has changed the row.
  func renamed() -> OutgoingRow { OutgoingRow(item.renamed()) }
}

extension OutboxItem {
  /// The item of a row; nil if this program doesn't know its kind, or can't read it. Such a row is left alone.
  init?(_ row: Row) {
    let name: String = row["kind"]
    let purpose: String = row["purpose"]
    // The first version calls all entries `entry`. A program of that version may still run.
    guard let kind = name == "entry" ? Kind(ofPurpose: purpose) : Kind(rawValue: name),
      let state = State(rawValue: row["state"])
    else { return nil }
    let data: Data = row["content"]
    let content: Content
    switch kind {
    case .post, .reply, .edit, .message:
      guard var entry = try? JSONDecoder().decode(OutgoingEntry.self, from: data) else { return nil }
      entry.id = row["id"]
      content = .entry(entry)
    case .delete, .reaction, .follow:
      guard let change = try? JSONDecoder().decode(OutgoingChange.self, from: data) else { return nil }
      content = .change(change)
    }
    let nextAttempt: Double? = row["next_attempt"]
    self.init(
      id: row["id"], kind: kind, state: state, content: content, position: row["position"], thread: row["thread"],
      waitsFor: row["waits_for"], nextAttempt: nextAttempt.map(Date.init(timeIntervalSince1970:)),
      attemptCount: row["attempts"], isHeld: row["held"], reason: row["reason"])
  }
}
