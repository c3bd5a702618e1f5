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
  case favourites = "★"
  case bookmark = "⚑"
  case edited = "✎"

  /// The meaning shown in the help.
  var meaning: String {
    switch self {
    case .unlisted: "unlisted: not in public timelines"
    case .followers: "for followers only"
    case .direct: "direct: only for users it mentions"
    case .unclear: "direct or followers: the server does not say"
    case .attachments: "pictures, videos or other files"
    case .poll: "a poll"
    case .draft: "you have a draft of a reply to it"
    case .replies: "replies"
    case .boosts: "boosts; coloured: yours too"
    case .favourites: "favourites; coloured: yours too"
    case .bookmark: "in your bookmarks"
    case .edited: "edited; \(Action.history.key) shows the edit history"
    }
  }

  /// The word that replaces the symbol in the output for screen readers, if no count follows the symbol.
  var word: String {
    switch self {
    case .unlisted: "unlisted"
    case .followers: "followers only"
    case .direct: "direct"
    case .unclear: "direct or followers only"
    case .attachments: "attachments"
    case .poll: "poll"
    case .draft: "draft of a reply"
    case .replies: ""
    case .boosts: "boosted"
    case .favourites: "favourited"
    case .bookmark: "bookmarked"
    case .edited: "edited"
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
      case .favourites: .favourites
      }
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
