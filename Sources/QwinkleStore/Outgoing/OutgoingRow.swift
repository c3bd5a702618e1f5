import Foundation
import QwinkleModel

/// One row of `outgoing.sqlite`: something that was written, whatever it is.
struct OutgoingRow: Sendable {
  /// What a row holds.
  enum Kind: String, Sendable {
    /// An ``OutgoingEntry``.
    case entry
    /// An ``OutgoingMessage`` of a conversation.
    case message
  }

  var id: String
  let kind: Kind
  let purpose: String
  let key: String
  let isDoubtful: Bool
  /// JSON of what it holds.
  private(set) var content: Data
  private let entry: OutgoingEntry?

  init(_ entry: OutgoingEntry) {
    id = entry.id
    kind = .entry
    purpose = entry.purpose
    key = entry.entry.idempotencyKey
    isDoubtful = entry.isDoubtful
    content = (try? JSONEncoder().encode(entry)) ?? Data()
    self.entry = entry
  }

  init(_ message: OutgoingMessage) {
    id = message.id
    kind = .message
    purpose = "conversation/\(message.conversation)"
    key = message.entry.idempotencyKey
    isDoubtful = message.failure?.isDoubtful ?? true
    content = (try? JSONEncoder().encode(message)) ?? Data()
    entry = nil
  }

  /// The same under another id, where somebody else has the row.
  func renamed() -> OutgoingRow {
    guard var entry else { return self }
    entry.id = UUID().uuidString
    return OutgoingRow(entry)
  }
}
