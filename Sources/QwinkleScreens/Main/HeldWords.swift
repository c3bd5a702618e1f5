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

  /// The last run ended while entries were held.
  static func keptAsDrafts(_ count: Int) -> String {
    let what = count == 1 ? "A post was not sent" : "\(count) posts were not sent"
    return "\(what): Qwinkle ended before its time. gd lists your drafts."
  }

  /// What is about to be done: `Posting`.
  static func doing(_ kind: HeldActs.Kind) -> String {
    switch kind {
    case .post: "Posting"
    case .delete: "Deleting"
    case .block(let qwinker): "Blocking @\(qwinker.handle)"
    case .blockServer(let host): "Blocking \(host)"
    case .vote: "Voting"
    case .dismiss(let ids): ids.count == 1 ? "Dismissing" : "Dismissing \(ids.count) notifications"
    case .clearNotifications: "Clearing notifications"
    }
  }

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

  static let postedNow = "What is held is posted now."
  static func dropped(_ kind: HeldActs.Kind) -> String { "\(doing(kind)) is dropped." }

  /// What quitting does with what is held; empty if nothing is.
  static func quitting(_ acts: [HeldActs.Act]) -> String {
    let dropped = acts.filter { if case .post = $0.kind { false } else { true } }
    var words: [String] = []
    if dropped.count < acts.count { words.append(postedNow) }
    if let first = dropped.first {
      words.append(dropped.count == 1 ? Self.dropped(first.kind) : "\(dropped.count) held acts are dropped.")
    }
    return words.joined(separator: " ")
  }
}
