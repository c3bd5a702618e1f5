import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import Terminal
import Timekeeping

extension SavedEntryCellData {
  /// Creates the texts for the cell of an outbox item. `purpose` is the purpose of an entry, if known. `cover` hides
  /// the qwink that the entry replies to.
  init(
    _ item: OutboxItem, purpose: EntryPurpose?, cover: Disclosure.Cover?, me: Qwinker.ID?, now: Date, zone: ClockZone
  ) {
    switch item.content {
    case .entry(let outgoing):
      title = OutboxWords.title(of: outgoing.purpose, purpose, me: me)
      about = Self.about(purpose, under: cover)
      visibility = outgoing.isAudienceOpen ? nil : outgoing.entry.visibility
      fileCount = outgoing.fileCount
      time = outgoing.writtenAt.map { RelativeTime.short($0, at: now, in: zone) } ?? ""
      text = Self.text(of: outgoing.entry)
    case .change(let change):
      title = OutboxWords.title(of: change)
      about = ""
      visibility = .public
      time = ""
      text = change.title.isEmpty ? [] : [TextRun(change.title, .text)]
    }
    note = Self.note(on: item, now: now, zone: zone)
  }

  private static func note(on item: OutboxItem, now: Date, zone: ClockZone) -> TextRun<StyleRole> {
    let words = OutboxWords.state(of: item, now: now, zone: zone)
    if item.isElsewhere { return TextRun(words, .dim) }
    if item.isHeld { return TextRun(words, .warning) }
    let role: StyleRole =
      switch item.state {
      case .draft: .dim
      case .undoable: .accent
      case .queued: item.reason == nil ? .dim : .warning
      case .sending: .accent
      case .uncertain: .warning
      case .failed: .error
      }
    return TextRun(words, role)
  }
}
