import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// What is said of acts that can still be taken back.
@MainActor
enum HeldWords {
  nonisolated static let nothing = "Nothing is held"
  /// The effects of the keys next to a countdown.
  static let undo = "undo"
  static let now = "now"
  static let undoesIt = "undoes it"
  static let doesItNow = "does it now"

  /// Shown if the last run ended with `count` held entries, `messages` of them direct messages.
  static func keptAsDrafts(_ count: Int, messages: Int = 0) -> String {
    let word = messages == count ? "message" : messages == 0 ? "post" : "draft"
    let what = count == 1 ? "A \(word) was not sent" : "\(count) \(word)s were not sent"
    return "\(what): Qwinkle ended before its time. \(Action.showDrafts.key) lists your drafts."
  }

  /// The name of the pending action: `Posting`.
  static func doing(_ kind: HeldActs.Kind) -> String { kind.name }

  /// The start of a countdown: `Posting in 6 s`.
  static func doing(_ kind: HeldActs.Kind, in seconds: Int) -> String { "\(doing(kind)) in \(seconds) s" }

  /// Follows the countdown of the newest of several actions.
  static func more(_ count: Int) -> String { "(and \(count) more)" }

  /// The newest act, counting down, with the keys that take it back and do it now; nil: nothing is held.
  static func counting(_ held: HeldActs, keys: KeysInForce) -> BarView.Item? {
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

  /// The same where text is only appended, said once.
  static func began(_ act: HeldActs.Act, seconds: Int, keys: KeysInForce) -> String {
    let keys = [(Action.undo, undoesIt), (.sendHeld, doesItNow)].compactMap { action, word in
      keys.hint(for: action).map { "\($0.key) \(word)" }
    }
    return ([doing(act.kind, in: seconds)] + keys).joined(separator: " · ")
  }

  static let postedNow = "Pending posts are sent now."
  static let sentNow = "Pending text is sent now."
  static func dropped(_ kind: HeldActs.Kind) -> String { "\(doing(kind)) is dropped." }

  /// What quitting does with what is held; empty if nothing is.
  static func quitting(_ acts: [HeldActs.Act]) -> String {
    let dropped = acts.filter { !$0.kind.isSending }
    var words: [String] = []
    if dropped.count < acts.count {
      let hasMessage = acts.contains { if case .message = $0.kind { true } else { false } }
      words.append(hasMessage ? sentNow : postedNow)
    }
    if let first = dropped.first {
      words.append(dropped.count == 1 ? Self.dropped(first.kind) : "\(dropped.count) held acts are dropped.")
    }
    return words.joined(separator: " ")
  }
}
