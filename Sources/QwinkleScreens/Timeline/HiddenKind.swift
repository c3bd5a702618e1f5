public import QwinkleModel

/// A kind of qwinks that a pane can hide. Raw values are the names used by `:hide` and the `hide` option.
public enum HiddenKind: String, CaseIterable, Hashable, Sendable {
  case boosts, replies

  /// Whether a qwink in a timeline is of this kind. The user's own qwinks and boosts never are, nor are replies to the
  /// user.
  public func holds(for qwink: Qwink, me: Qwinker.ID?) -> Bool {
    if qwink.comes(from: me) { return false }
    return switch self {
    case .boosts: qwink.booster != nil
    case .replies: qwink.booster == nil && qwink.inReplyTo != nil && (me == nil || qwink.inReplyToAuthor != me)
    }
  }
}

extension TimelineName {
  /// Whether the timeline hides muted and blocked users. Profiles, bookmarks and favourites show them.
  var leavesOutMuted: Bool {
    switch self {
    case .public, .local, .home, .tag, .list, .trending, .quotes: true
    case .qwinker, .part, .bookmarks, .favourites: false
    }
  }

  /// Whether the `hide` option applies.
  var hidesByOption: Bool {
    if case .quotes = self { return false }
    return leavesOutMuted && self != .trending
  }
}
