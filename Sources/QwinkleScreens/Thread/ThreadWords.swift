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

  /// The thread could not be fetched; `isPartial`: some of it is shown.
  static func failed(_ error: DownloadError, isPartial: Bool) -> [TextRun<StyleRole>] {
    (isPartial ? [TextRun("There may be more. ", .text)] : []) + [TextRun("\(error.summary) R retries.", .error)]
  }

  /// The heading above the replies.
  static func replies(_ count: Int) -> String { Counted.words(count, "reply", "replies") }

  /// A reply in linear form, where no column shows its depth.
  static func reply(depth: Int) -> String { depth == 1 ? "Reply" : "Reply, level \(depth)" }

  // MARK: The whole qwink

  static let noDescription = "no description"

  static func poll(votes: Int, isExpired: Bool, canVote: Bool) -> String {
    "\(Counted.words(votes, "vote")), \(isExpired ? "closed" : "open")\(canVote ? " · x votes" : "")"
  }

  static func edited(_ time: String) -> String { "edited \(time)" }

  /// The visibility where ``QwinkCellData/audience(of:)`` says nothing.
  static func audience(isPublic: Bool) -> String { isPublic ? "public" : "unlisted" }
}
