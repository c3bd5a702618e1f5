import Foundation
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import QwinkleWire
import Timekeeping

/// The outbox as plain text and as JSON.
enum PlainOutbox {
  /// An item in a list: kind, visibility, number of files, time and state, then its text.
  static func row(_ item: OutboxItem, _ style: PlainStyle) -> String {
    let state = OutboxWords.state(of: item, now: style.now, zone: style.zone)
    switch item.content {
    case .entry(let outgoing): return PlainDraft.row(outgoing, outgoing.writtenAt, state, style)
    case .change(let change):
      let title = change.title.isEmpty ? "" : "\n" + change.title.indented(by: 2)
      return "\(OutboxWords.title(of: change))  \(state)\(title)\n"
    }
  }

  static func json(_ items: [OutboxItem]) -> [UInt8] { PlainDraft.encoded(items.map(Item.init)) }

  private struct Item: Encodable {
    var id: String
    /// One of `post`, `reply`, `edit`, `message`, `delete`, `reaction` and `follow`.
    var kind: String
    /// One of `queued`, `sending`, `uncertain` and `failed`.
    var state: String
    var held: Bool
    var reason: String?
    var next_attempt: String?
    var purpose: String
    /// Number of all files, including those without a media id. Nil for an item without an entry, such as a reaction.
    var file_count: Int?
    /// Content of the item's entry (the post or message to send). Nil for an item without an entry.
    var params: PlainDraft.Parameters?

    init(_ item: OutboxItem) {
      id = item.id
      kind = item.kind.rawValue
      state = item.state.rawValue
      held = item.isHeld
      reason = item.reason
      next_attempt = item.nextAttempt.map { WireDate.text($0, in: .gmt) }
      purpose = item.purpose
      file_count = item.entry?.fileCount
      params = item.entry.map { PlainDraft.Parameters($0.sent ?? $0.entry) }
      if item.entry?.isAudienceOpen == true { params?.visibility = nil }
    }
  }
}
