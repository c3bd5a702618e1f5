import PaneKit
import QwinkleModel
import QwinkleService
import Terminal

/// Strings of a thread.
enum ThreadWords {
  static let title = "Thread"
  static let nothingSelected = "No post selected"
  static let fetching = "Fetching replies…"
  static func arriving(_ count: Int) -> String {
    "Your server is fetching more replies" + (count > 0 ? ": \(count) so far" : "…")
  }

  static let noReplies = "No replies yet"
  static let mayBeMore = "There may be more."

  /// Returns the error shown if the thread couldn't be fetched. `isPartial` is true if some of it is visible.
  static func failed(_ error: DownloadError, isPartial: Bool) -> [TextRun<StyleRole>] {
    let start = isPartial ? [TextRun("\(mayBeMore) ", StyleRole.text)] : []
    return start + [TextRun("\(error.summary) \(StatusWords.retries(Action.refresh.key))", .error)]
  }

  static func replies(_ count: Int) -> String { Counted.words(count, "reply", "replies") }

  /// Returns the label of a reply in the output for screen readers, which has no indentation.
  static func reply(depth: Int) -> String { depth == 1 ? "Reply" : "Reply, level \(depth)" }

  // MARK: Branches

  static let nothingToFold = "No replies to fold here"
  static let noNext = "No other reply below"
  static let noPrevious = "No other reply above"

  static func folded(_ count: Int) -> String { "\(replies(count)) hidden · press \(Action.threadFold.key) to show" }

  // MARK: On another server

  static let allHere = "Your server has all of this thread."

  static func asking(_ host: String) -> String { "Asking \(host)…" }

  static func more(_ count: Int, on host: String) -> String {
    "\(Counted.words(count, "reply", "replies")) missing · \(Action.threadRest.key) asks \(host)"
  }

  static func fetched(_ count: Int, from host: String) -> String {
    count > 0 ? "\(Counted.words(count, "reply", "replies")) from \(host)" : "\(host) has no other replies"
  }

  static func elsewhere(_ host: String) -> String { "on \(host) · \(Action.open.key) fetches it" }

  static func cannotAct(_ host: String) -> String { "Only \(host) has this reply. \(Action.open.key) fetches it." }

  // MARK: The whole qwink

  static func edited(_ time: String) -> String { "edited \(time)" }
}
