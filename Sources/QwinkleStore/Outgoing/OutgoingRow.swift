import Foundation
import QwinkleModel

/// A row of `outgoing.sqlite`: an entry or a message.
struct OutgoingRow: Sendable {
  /// What a row contains.
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
  /// The entry or message as JSON.
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

  /// The same entry under a new id, used if another program has changed the row.
  func renamed() -> OutgoingRow {
    guard var entry else { return self }
    entry.id = UUID().uuidString
    return OutgoingRow(entry)
  }
}
