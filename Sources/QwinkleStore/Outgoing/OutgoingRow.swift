import Databases
import Foundation
import GRDB
import QwinkleModel

/// A row of `outgoing.sqlite`: a draft or an outbox item.
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

  /// Creates the row of a draft.
  init(_ entry: OutgoingEntry) {
    var item = OutboxItem(entry)
    item.state = .draft
    item.thread = nil
    self.init(item)
  }

  var id: String { item.id }

  /// The idempotency key of the request. Empty if the request needs none.
  private var key: String { item.entry.map { $0.sent ?? $0.entry }?.idempotencyKey ?? "" }

  /// Values of the columns that the item determines, by column name.
  var arguments: StatementArguments {
    [
      "id": id, "kind": item.kind.rawValue, "purpose": item.purpose, "key": key, "doubtful": item.isDoubtful,
      "content": content, "state": item.state.rawValue, "position": item.position, "thread": item.thread,
      "waits_for": item.waitsFor, "next_attempt": item.nextAttempt?.timeIntervalSince1970,
      "attempts": item.attemptCount, "held": item.isHeld, "reason": item.reason,
    ]
  }

  /// Returns a copy with a new id, to save this row next to the version that another program has saved.
  func renamed() -> OutgoingRow { OutgoingRow(item.renamed()) }
}

/// The claim of a program on a row of `outgoing.sqlite`.
struct OutgoingClaim {
  /// The id of the program.
  let holder: String?
  /// Incremented with each change of the row.
  let revision: Int

  init(_ row: Row) throws {
    holder = try row.value("holder")
    revision = try row.value("revision")
  }
}

extension OutboxItem {
  /// Decodes a row. Returns nil if this version doesn't know the row's kind or can't decode the row. Such rows must not
  /// be changed.
  init?(_ row: Row) {
    guard let item = try? Self.decoded(row) else { return nil }
    self = item
  }

  private static func decoded(_ row: Row) throws -> OutboxItem? {
    let name: String = try row.value("kind")
    let purpose: String = try row.value("purpose")
    // Version 1 used `entry` for all kinds. A program of that version may still be running.
    guard let kind = name == "entry" ? Kind(ofPurpose: purpose) : Kind(rawValue: name),
      let state = State(rawValue: try row.value("state"))
    else { return nil }
    let data: Data = try row.value("content")
    let content: Content
    switch kind {
    case .post, .reply, .edit, .message:
      guard var entry = try? JSONDecoder().decode(OutgoingEntry.self, from: data) else { return nil }
      entry.id = try row.value("id")
      content = .entry(entry)
    case .delete, .reaction, .follow:
      guard let change = try? JSONDecoder().decode(OutgoingChange.self, from: data) else { return nil }
      content = .change(change)
    }
    let nextAttempt: Double? = try row.value("next_attempt")
    return OutboxItem(
      id: try row.value("id"), kind: kind, state: state, content: content, position: try row.value("position"),
      thread: try row.value("thread"), waitsFor: try row.value("waits_for"),
      nextAttempt: nextAttempt.map(Date.init(timeIntervalSince1970:)), attemptCount: try row.value("attempts"),
      isHeld: try row.value("held"), reason: try row.value("reason"))
  }
}
