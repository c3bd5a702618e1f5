public import FoundationEssentials
import PaneKit
public import QwinkleModel
import QwinkleStore
public import Timekeeping

/// The words of what waits to be sent.
extension OutboxWords {
  static let outbox = "Outbox"
  static let nothingWaits = "The outbox is empty: nothing waits to be sent."

  /// The same with the number of drafts. The server may have refused some of them.
  static func nothingWaits(drafts: Int) -> String {
    guard drafts > 0 else { return nothingWaits }
    return "The outbox is empty, but \(Counted.words(drafts, "draft")) \(drafts == 1 ? "was" : "were") not sent."
  }
  static let outboxNeedsAccount = "The outbox needs an account."

  // MARK: What and how far

  /// What a change does: `Favourite`, `Unfollow @bob`.
  public static func title(of change: OutgoingChange) -> String {
    switch (change.what, change.isOn) {
    case (.boost, true): "Boost"
    case (.boost, false): "Undo boost"
    case (.favourite, true): "Favourite"
    case (.favourite, false): "Unfavourite"
    case (.bookmark, true): "Bookmark"
    case (.bookmark, false): "Remove bookmark"
    case (.follow, true): "Follow"
    case (.follow, false): "Unfollow"
    case (.delete, _): "Delete a qwink"
    }
  }

  static let isHeld = "held: not sent until you release it"
  static let isWaiting = "waiting"
  static let isRetrying = "retrying"
  static let notSent = "not sent"
  static let undoable = "sent in a few seconds"
  static let waitsForParent = "waits for what it replies to"
  static let elsewhere = "another Qwinkle sends it"

  /// How far something has come, and why not further.
  public static func state(of item: OutboxItem, now: Date, zone: ClockZone) -> String {
    let reason = item.reason.map { " · \($0)" } ?? ""
    if item.isElsewhere { return elsewhere }
    if item.isHeld { return "\(isHeld)\(reason)" }
    switch item.state {
    case .draft: return "draft"
    case .undoable: return undoable
    case .sending: return "sending…"
    case .uncertain: return "may have arrived: checked before it is sent again\(reason)"
    case .failed: return "\(notSent)\(reason)"
    case .queued:
      if item.waitsFor != nil { return "\(waitsForParent)\(reason)" }
      guard let date = item.nextAttempt, date > now else { return "\(isWaiting)\(reason)" }
      return "\(isRetrying) \(time(of: date, now: now, zone: zone))\(reason)"
    }
  }

  /// A time that stays true until then: nothing counts seconds down.
  private static func time(of date: Date, now: Date, zone: ClockZone) -> String {
    date.timeIntervalSince(now) <= 60 ? StatusWords.withinAMinute : "at \(RelativeTime.clock(date, in: zone))"
  }

  /// The sign and the number of what waits, in the header: `⇡ 3`.
  static func waiting(_ count: Int) -> String { "⇡ \(count)" }

  /// Something was not sent, and nothing more happens by itself; `key` opens the outbox.
  static func didFail(_ item: OutboxItem, _ purpose: EntryPurpose?, me: Qwinker.ID?, key: String?) -> String {
    let what =
      switch item.content {
      case .entry(let entry): title(of: entry.purpose, purpose, me: me)
      case .change(let change): title(of: change)
      }
    let reason = item.reason.map { " \($0)" } ?? ""
    return "\(what): \(notSent).\(reason)" + (key.map { " \(opens($0))" } ?? "")
  }

  static func opens(_ key: String) -> String { "\(key) opens the outbox." }

  // MARK: Acting

  static let holds = "hold"
  static let releases = "release"
  static let held = "Held · \(Action.outboxHold.key) releases it"
  static let released = "Released"
  static let sendingNow = "Sending now"
  /// The name of the action, for ``Account/undo()``.
  static let editing = "Editing the queued item"
  static let discarded = "Discarded"

  /// An item is still on disk, and stays in the outbox.
  static func cannotDiscard(_ error: StoreError) -> String { "\(notDiscarded) \(error.sentence)" }
  static let notDiscarded = "Not discarded, but held."

  static let queuedAgain = "Back in the outbox"
  static let heldAgain = "Back in the outbox, held · \(Action.outboxHold.key) releases it"
  static let notNow = "It is being sent just now."
  static let itemElsewhere = "Another Qwinkle has it. Change it there."
  static let waitsForPart =
    "A part of a thread can be edited when the one before it was sent. \(Action.delete.key) discards it."
  static let notAnEntry = "Only what you wrote can be edited. \(Action.delete.key) discards it."
}
