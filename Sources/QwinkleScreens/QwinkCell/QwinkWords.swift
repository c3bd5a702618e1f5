public import QwinkleModel

/// Strings for the properties of a qwink, on screens and in the output of commands.
public enum QwinkWords {
  public static func words(_ audience: QwinkDescription.Audience) -> String {
    switch audience {
    case .everybody: "public"
    case .unlisted: "unlisted"
    case .followers: "followers"
    case .mentioned: "direct"
    case .unclear: "direct or followers"
    }
  }

  /// Returns `3 boosts`, `3 boosts including yours`, or `your boost` if the count is 0.
  public static func words(_ count: QwinkDescription.Count) -> String {
    let (one, several) =
      switch count.kind {
      case .replies: ("reply", "replies")
      case .boosts: ("boost", "boosts")
      case .quotes: ("quote", "quotes")
      case .favourites: ("favourite", "favourites")
      }
    // The count is 0 if the server doesn't include the user's own reaction yet.
    guard count.value > 0 else { return "your \(one)" }
    return Counted.words(count.value, one, several) + (count.isMine ? " including yours" : "")
  }

  public static func words(_ mark: QwinkDescription.Mark) -> String {
    switch mark {
    case .bookmarked: QwinkSign.bookmark.word
    case .pinned: QwinkerWords.pinned
    case .threadMuted: "thread muted"
    }
  }

  /// Returns `3 votes, open until 22 Nov 2026, 09:30`. `end` is the poll's formatted end, or nil if the server doesn't
  /// report one.
  public static func state(of state: QwinkDescription.PollState, end: String?) -> String {
    let words = state.isClosed ? "closed" : "open\(end.map { " until \($0)" } ?? "")"
    return "\(Counted.words(state.poll.votesCount, "vote")), \(words)"
  }

  /// Returns `picture`, or `picture, sensitive` if the picture is hidden until the reader opens it. For a video, also
  /// its playing time and its size in pixels, as in `video 1:24, 640x480`.
  public static func name(of attachment: Attachment, isSensitive: Bool) -> String {
    var words = AttachmentWords.name(of: attachment)
    if attachment.kind == .video, let width = attachment.width, let height = attachment.height {
      words += ", \(width)x\(height)"
    }
    return words + (isSensitive ? ", \(AttachmentWords.sensitive)" : "")
  }

  /// Returns the description of an attachment, or a note that it has none.
  public static func description(of attachment: Attachment) -> String {
    guard let text = attachment.altText, text.contains(where: { !$0.isWhitespace }) else {
      return AttachmentWords.noDescription
    }
    return text
  }
}
