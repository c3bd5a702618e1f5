import PaneKit
import QwinkleModel
import Terminal

/// A symbol next to a qwink. The help lists all of them.
enum QwinkSign: String, CaseIterable {
  case unlisted = "◌"
  case followers = "◍"
  case direct = "@"
  /// Direct or followers-only: the server doesn't report which.
  case unclear = "◍?"
  case attachments = "▣"
  case poll = "◔"
  case draft = "draft ✎"
  case replies = "↩"
  case boosts = "↻"
  case quotes = "❝"
  case favourites = "★"
  case bookmark = "⚑"
  case edited = "✎"
  case notifies = "♪"

  /// The meaning shown in the help.
  var meaning: String { texts.meaning }

  /// The word that replaces the symbol in the output for screen readers, if no count follows the symbol.
  var word: String { texts.word }

  private var texts: (meaning: String, word: String) {
    switch self {
    case .unlisted: ("unlisted: not in public timelines", "unlisted")
    case .followers: ("for followers only", "followers only")
    case .direct: ("direct: only for users it mentions", "direct")
    case .unclear: ("direct or followers: the server does not say", "direct or followers only")
    case .attachments: ("pictures, videos or other files", "attachments")
    case .poll: ("a poll", "poll")
    case .draft: ("you have a draft of a reply to it", "draft of a reply")
    case .replies: ("replies; before a text: it is a reply", "")
    case .boosts: ("boosts; coloured if you boosted it", "boosted")
    case .quotes: ("posts that quote it; \(Action.quotes.key) lists them", "")
    case .favourites: ("favourites; coloured if you favourited it", "favourited")
    case .bookmark: ("in your bookmarks", "bookmarked")
    case .notifies: ("next to a user: you are notified of their posts", "notifications on")
    case .edited: ("edited; \(Action.history.key) shows the edit history", "edited")
    }
  }

  func run(_ role: StyleRole = .dim) -> TextRun<StyleRole> { TextRun(rawValue, role) }
}

extension QwinkSign {
  init(_ kind: QwinkDescription.Count.Kind) {
    self =
      switch kind {
      case .replies: .replies
      case .boosts: .boosts
      case .quotes: .quotes
      case .favourites: .favourites
      }
  }

  /// Returns the symbol of a count followed by its number, unless the number is 0.
  static func run(of count: QwinkDescription.Count, gap: String = "") -> TextRun<StyleRole> {
    let sign = QwinkSign(count.kind).rawValue
    return TextRun(count.value > 0 ? "\(sign)\(gap)\(count.value)" : sign, count.isMine ? .accent : .dim)
  }

  /// Returns the symbol of a qwink's audience, or nil for a public qwink. A restricted audience is drawn in the colour
  /// of warnings, so that people notice it before they reply.
  static func audience(of qwink: Qwink) -> TextRun<StyleRole>? {
    switch qwink.audience {
    case .everybody: nil
    case .unlisted: unlisted.run()
    case .followers: followers.run(.warning)
    case .mentioned: direct.run(.warning)
    case .unclear: unclear.run(.warning)
    }
  }

  /// Returns symbols for the attachments and the poll of a qwink that a content warning or a filter covers.
  static func hidden(in qwink: Qwink) -> [TextRun<StyleRole>] {
    var signs: [TextRun<StyleRole>] = []
    if !qwink.attachments.isEmpty { signs.append(TextRun("\(attachments.rawValue) \(qwink.attachments.count)", .dim)) }
    if qwink.poll != nil { signs.append(poll.run()) }
    return signs
  }
}
