import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// Texts about pending actions, which can still be undone.
@MainActor
enum PendingWords {
  nonisolated static let nothing = "Nothing is pending"
  /// The labels of the two keys that are shown after a countdown.
  static let undo = "undo"
  static let now = "now"
  static let undoesIt = "undoes it"
  static let doesItNow = "does it now"

  /// Returns the message after a run that ended with unsent entries. `count` is the number of these entries, and
  /// `messages` is the number of direct messages among them.
  static func savedAsDrafts(_ count: Int, messages: Int = 0) -> String {
    let word = messages == count ? "message" : messages == 0 ? "post" : "draft"
    let what = count == 1 ? "your \(word)" : "\(count) \(word)s"
    return "Qwinkle quit before sending \(what). \(Action.showDrafts.key) lists your drafts."
  }

  static func doing(_ kind: PendingActions.Kind) -> String { kind.name }

  /// Returns the start of a countdown: `Posting in 6 s`.
  static func doing(_ kind: PendingActions.Kind, in seconds: Int) -> String { "\(doing(kind)) in \(seconds) s" }

  /// Shown after the countdown of the newest action. `count` is the number of other pending actions.
  static func more(_ count: Int) -> String { "(and \(count) more)" }

  /// Returns the countdown of the newest action, with the keys that undo it and perform it now. Nil if no action is
  /// pending.
  static func counting(_ held: PendingActions, keys: KeysInForce) -> BarView.Item? {
    let acts = held.acts
    guard let act = acts.last else { return nil }
    let countdown = doing(act.kind, in: held.secondsLeft(of: act))
    let words = acts.count > 1 ? "\(countdown) \(more(acts.count - 1))" : countdown
    var runs = [TextRun(words, StyleRole.new)]
    for (action, word) in [(Action.undo, undo), (.sendHeld, now)] {
      guard let key = keys.hint(for: action)?.key else { continue }
      runs += [TextRun(" · ", .dim), TextRun(key, .key), TextRun(" \(word)", .dim)]
    }
    return BarView.Item(runs, priority: 120)
  }

  /// Returns the announcement of a pending action in linear form, which is for screen readers. It is read only once.
  static func began(_ act: PendingActions.Act, seconds: Int, keys: KeysInForce) -> String {
    let keys = [(Action.undo, undoesIt), (.sendHeld, doesItNow)].compactMap { action, word in
      keys.hint(for: action).map { "\($0.key) \(word)" }
    }
    return ([doing(act.kind, in: seconds)] + keys).joined(separator: " · ")
  }

  static let postedNow = "Pending posts are sent now."
  static let sentNow = "Pending text is sent now."
  static func dropped(_ kind: PendingActions.Kind) -> String { "\(doing(kind)) is cancelled." }

  /// Returns a text about what happens to the pending actions when the program quits. Empty if no action is pending.
  static func quitting(_ acts: [PendingActions.Act]) -> String {
    let dropped = acts.filter { !$0.kind.isSending }
    var words: [String] = []
    if dropped.count < acts.count {
      let hasMessage = acts.contains { if case .message = $0.kind { true } else { false } }
      words.append(hasMessage ? sentNow : postedNow)
    }
    if let first = dropped.first {
      let several = "\(dropped.count) \(words.isEmpty ? "pending actions" : "others") are cancelled."
      words.append(dropped.count == 1 ? Self.dropped(first.kind) : several)
    }
    return words.joined(separator: " ")
  }
}
