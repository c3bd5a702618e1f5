import PaneKit
import QwinkleModel
import QwinkleService
import Terminal

/// What a thread says.
enum ThreadWords {
  static let title = "Thread"
  static let nothingSelected = "No qwink selected"
  static let fetching = "Fetching replies…"
  static let noReplies = "No replies yet"
  static let mayBeMore = "There may be more."

  /// The thread could not be fetched; `isPartial`: some of it is shown.
  static func failed(_ error: DownloadError, isPartial: Bool) -> [TextRun<StyleRole>] {
    let start = isPartial ? [TextRun("\(mayBeMore) ", StyleRole.text)] : []
    return start + [TextRun("\(error.summary) \(StatusWords.retries(Action.refresh.key))", .error)]
  }

  /// The heading above the replies.
  static func replies(_ count: Int) -> String { Counted.words(count, "reply", "replies") }

  /// A reply in linear form, where no column shows its depth.
  static func reply(depth: Int) -> String { depth == 1 ? "Reply" : "Reply, level \(depth)" }

  // MARK: Branches

  static let folded = " folded · \(Action.threadFold.key) shows them"
  static let nothingToFold = "No replies to fold here"
  static let noNext = "No other reply below"
  static let noPrevious = "No other reply above"

  static func folded(_ count: Int) -> String { "\(replies(count)) folded · \(Action.threadFold.key) shows" }

  // MARK: On another server

  static let allHere = "Your server has all of this thread."

  static func asking(_ host: String) -> String { "Asking \(host)…" }

  static func more(_ count: Int, on host: String) -> String {
    "\(Counted.words(count, "reply", "replies")) not here · \(Action.threadRest.key) asks \(host)"
  }

  static func fetched(_ count: Int, from host: String) -> String {
    count > 0 ? "\(Counted.words(count, "reply", "replies")) from \(host)" : "\(host) has no other replies"
  }

  static func elsewhere(_ host: String) -> String { "on \(host) · \(Action.open.key) brings it here" }

  static func cannotAct(_ host: String) -> String { "Only \(host) has this reply. \(Action.open.key) brings it here." }

  // MARK: The whole qwink

  /// Hint behind the state of a poll that takes the user's vote.
  static let votes = " · \(Action.vote.key) votes"

  static func edited(_ time: String) -> String { "edited \(time)" }
}
