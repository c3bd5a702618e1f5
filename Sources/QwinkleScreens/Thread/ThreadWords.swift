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
    return start + [TextRun("\(error.summary) \(StatusWords.retries("R"))", .error)]
  }

  /// The heading above the replies.
  static func replies(_ count: Int) -> String { Counted.words(count, "reply", "replies") }

  /// A reply in linear form, where no column shows its depth.
  static func reply(depth: Int) -> String { depth == 1 ? "Reply" : "Reply, level \(depth)" }

  // MARK: Branches

  static let folded = " folded · - shows them"
  static let nothingToFold = "No replies to fold here"
  static let noNext = "No other reply below"
  static let noPrevious = "No other reply above"

  static func folded(_ count: Int) -> String { "\(replies(count)) folded · - shows" }

  // MARK: On another server

  static let allHere = "Your server has all of this thread."

  static func asking(_ host: String) -> String { "Asking \(host)…" }

  static func more(_ count: Int, on host: String) -> String {
    "\(Counted.words(count, "reply", "replies")) not here · gr asks \(host)"
  }

  static func fetched(_ count: Int, from host: String) -> String {
    count > 0 ? "\(Counted.words(count, "reply", "replies")) from \(host)" : "\(host) has no other replies"
  }

  static func elsewhere(_ host: String) -> String { "on \(host) · Enter brings it here" }

  static func cannotAct(_ host: String) -> String { "Only \(host) has this reply. Enter brings it here." }

  // MARK: The whole qwink

  static let noDescription = "no description"

  /// `end` is when it closes; nil: it stays open, or the server doesn't say.
  static func poll(votes: Int, isExpired: Bool, end: String?, canVote: Bool) -> String {
    let state = isExpired ? "closed" : "open\(end.map { " until \($0)" } ?? "")"
    return "\(Counted.words(votes, "vote")), \(state)\(canVote ? " · x votes" : "")"
  }

  static func edited(_ time: String) -> String { "edited \(time)" }

  /// The visibility where ``QwinkCellData/audience(of:)`` says nothing.
  static func audience(isPublic: Bool) -> String { isPublic ? "public" : "unlisted" }
}
