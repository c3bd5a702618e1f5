public import FoundationEssentials
import PaneKit
public import QwinkleModel
import QwinkleStore
public import Timekeeping

/// Texts of the outbox.
extension OutboxWords {
  static let outbox = "Outbox"
  static let nothingWaits = "The outbox is empty: nothing to send."

  /// Shown in an empty outbox. Includes the number of drafts, because the server may have refused some of them.
  static func nothingWaits(drafts: Int) -> String {
    guard drafts > 0 else { return nothingWaits }
    return "The outbox is empty, but \(Counted.words(drafts, "draft")) \(drafts == 1 ? "was" : "were") not sent."
  }
  static let outboxNeedsAccount = "The outbox needs an account."

  // MARK: Items and states

  /// Describes a change: `Favourite`, `Unfollow`.
  public static func title(of change: OutgoingChange) -> String {
    switch (change.what, change.isOn) {
    case (.reaction(let reaction), let isOn): (isOn ? reaction.noun : reaction.undoing).capitalizingFirst
    case (.follow, true): change.wasOn ? "Change how you follow" : "Follow"
    case (.follow, false): "Unfollow"
    case (.delete, _): "Delete a post"
    }
  }

  static let isHeld = "held: not sent until you release it"
  static let isWaiting = "waiting"
  static let isRetrying = "retrying"
  static let notSent = "not sent"
  static let undoable = "sent in a few seconds"
  static let waitsForParent = "waiting for its parent post"
  static let elsewhere = "will be sent by another Qwinkle"

  /// The item's state, and the reason for a delay or failure.
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

  /// A time in words that stay true until then, because there is no countdown.
  private static func time(of date: Date, now: Date, zone: ClockZone) -> String {
    date.timeIntervalSince(now) <= 60 ? StatusWords.withinAMinute : "at \(RelativeTime.clock(date, in: zone))"
  }

  /// Symbol and number of queued items in the header: `⇡ 3`.
  static func waiting(_ count: Int) -> String { "⇡ \(count)" }

  /// Reports that an item was not sent and won't be retried automatically. `key` opens the outbox.
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
  static let held = "On hold · \(Action.outboxHold.key) releases it"
  static let released = "Released"
  static let sendingNow = "Sending now"
  /// The name of the action, for ``Account/undo()``.
  static let editing = "Editing the queued item"
  static let discarded = "Discarded"

  /// Shown if an item couldn't be deleted from disk and stays in the outbox.
  static func cannotDiscard(_ error: StoreError) -> String { "\(notDiscarded) \(error.sentence)" }
  static let notDiscarded = "Could not discard it; it is on hold."

  static let queuedAgain = "Back in the outbox"
  static let heldAgain = "Back in the outbox, held · \(Action.outboxHold.key) releases it"
  static let notNow = "It is being sent right now."
  static let itemElsewhere = "This item is open in another Qwinkle. Change it there."
  static let waitsForPart =
    "Part of a thread: edit it once the part before it is sent. \(Action.delete.key) discards it."
  static let notAnEntry = "Only your own text can be edited. \(Action.delete.key) discards it."
}
