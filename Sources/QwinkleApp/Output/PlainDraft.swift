import Foundation
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import QwinkleWire
import Timekeeping

/// Drafts as plain text and as JSON.
enum PlainDraft {
  /// A draft in a list: number, purpose, visibility, number of files and time, then its text.
  static func row(_ draft: SavedEntry, _ style: PlainStyle) -> String {
    let note =
      draft.holder == .nobody
      ? draft.entry.isDoubtful ? OutboxWords.mayHaveArrived : nil : OutboxWords.openElsewhere
    return "\(draft.number)  " + row(draft.entry, draft.changedAt, note, style)
  }

  /// An entry in a list: purpose, visibility, number of files, `time` and `note`, then its text.
  static func row(_ outgoing: OutgoingEntry, _ time: Date?, _ note: String?, _ style: PlainStyle) -> String {
    let entry = outgoing.entry
    let title = OutboxWords.title(of: outgoing.purpose, EntryPurpose(of: outgoing), me: nil)
    let visibility = outgoing.isAudienceOpen ? nil : EntryWords.name(of: entry.visibility).lowercased()
    let files = outgoing.fileCount == 0 ? nil : Counted.words(outgoing.fileCount, "file")
    let head = [title, visibility, files, time.map { style.time($0) }, note].compactMap(\.self)
    let warning = entry.contentWarning.isEmpty ? "" : "CW: \(entry.contentWarning)\n"
    return head.joined(separator: "  ") + "\n" + (warning + entry.text).indented(by: 2) + "\n"
  }

  static func json(_ drafts: [SavedEntry]) -> [UInt8] { encoded(drafts.map(Item.init)) }

  static func json(_ draft: SavedEntry) -> [UInt8] { encoded(Item(draft)) }

  static func encoded(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array((try? encoder.encode(value)) ?? Data())
  }

  /// The content of an entry (a post being written), under the API's parameter names.
  struct Parameters: Encodable {
    var text: String
    /// Nil until the author chooses an audience.
    var visibility: String?
    var spoiler_text: String
    var language: String?
    var in_reply_to_id: String?
    /// Nil without uploaded files.
    var media_ids: [String]?
    var poll: Poll?

    struct Poll: Encodable {
      var options: [String]
      var expires_in: Int
      var multiple: Bool
      var hide_totals: Bool
    }

    init(_ entry: Entry) {
      text = entry.text
      visibility = entry.visibility.rawValue
      spoiler_text = entry.contentWarning
      language = entry.language
      in_reply_to_id = entry.inReplyTo
      media_ids = entry.attachmentIDs.isEmpty ? nil : entry.attachmentIDs
      poll = entry.poll.map {
        Poll(
          options: $0.options, expires_in: $0.seconds, multiple: $0.allowsSeveral, hide_totals: $0.hidesTotals)
      }
    }
  }

  /// A draft as JSON: the members of a ScheduledStatus that apply to drafts, and some more.
  /// <https://docs.joinmastodon.org/entities/ScheduledStatus/>
  private struct Item: Encodable {
    var id: String
    var params: Parameters
    /// One of `new`, `reply/ID`, `edit/ID`, `message/ID` and `conversation/ID`.
    var purpose: String
    /// Number of all files, including those without a media id.
    var file_count: Int
    var updated_at: String
    var is_open: Bool
    var may_be_posted: Bool

    init(_ draft: SavedEntry) {
      id = "\(draft.number)"
      params = Parameters(draft.entry.entry)
      if draft.entry.isAudienceOpen { params.visibility = nil }
      purpose = draft.entry.purpose
      file_count = draft.entry.fileCount
      updated_at = WireDate.text(draft.changedAt, in: .gmt)
      is_open = draft.holder != .nobody
      may_be_posted = draft.entry.isDoubtful
    }
  }
}
