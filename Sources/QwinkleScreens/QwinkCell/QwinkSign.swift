import PaneKit
import QwinkleModel
import Terminal

/// A sign beside a qwink. Each is one column wide in every terminal, and the help has them all.
enum QwinkSign: String, CaseIterable {
  case unlisted = "◌"
  case followers = "◍"
  case direct = "@"
  /// The server doesn't say which of the two.
  case unclear = "◍?"
  case attachments = "▣"
  case poll = "◔"
  case draft = "draft ✎"
  case replies = "↩"
  case boosts = "↻"
  case favourites = "★"
  case bookmark = "⚑"
  case edited = "✎"

  /// What it says about a qwink, for the help.
  var meaning: String {
    switch self {
    case .unlisted: "unlisted: in no public timeline"
    case .followers: "for followers only"
    case .direct: "direct: for those it mentions only"
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

  /// What is said for it where nothing follows and text is only appended.
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

  /// Who may see a qwink, unless everybody may find it. What few may see is a warning to those who reply.
  static func audience(of qwink: Qwink) -> TextRun<StyleRole>? {
    switch qwink.audience {
    case .everybody: nil
    case .unlisted: unlisted.run()
    case .followers: followers.run(.warning)
    case .mentioned: direct.run(.warning)
    case .unclear: unclear.run(.warning)
    }
  }

  /// What a content warning hides besides text.
  static func hidden(in qwink: Qwink) -> [TextRun<StyleRole>] {
    var signs: [TextRun<StyleRole>] = []
    if !qwink.attachments.isEmpty { signs.append(TextRun("\(attachments.rawValue) \(qwink.attachments.count)", .dim)) }
    if qwink.poll != nil { signs.append(poll.run()) }
    return signs
  }
}
