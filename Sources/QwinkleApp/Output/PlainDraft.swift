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
    let entry = draft.entry.entry
    let title = OutboxWords.title(of: draft.entry.purpose, EntryPurpose(of: draft.entry), me: nil)
    let visibility = draft.entry.isAudienceOpen ? nil : EntryWords.name(of: entry.visibility).lowercased()
    let note =
      draft.holder == .nobody
      ? draft.entry.isDoubtful ? OutboxWords.mayHaveArrived : nil : OutboxWords.openElsewhere
    let head = ["\(draft.number)", title, visibility, files(of: draft.entry), style.time(draft.changedAt), note]
      .compactMap(\.self)
    let warning = entry.contentWarning.isEmpty ? "" : "CW: \(entry.contentWarning)\n"
    return head.joined(separator: "  ") + "\n" + (warning + entry.text).indented(by: 2) + "\n"
  }

  /// The number of files, such as `2 files`. Nil without files.
  static func files(of entry: OutgoingEntry) -> String? {
    entry.fileCount == 0 ? nil : Counted.words(entry.fileCount, "file")
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
      updated_at = WireDate.text(draft.changedAt, in: ClockZone { _ in 0 })
      is_open = draft.holder != .nobody
      may_be_posted = draft.entry.isDoubtful
    }
  }
}
