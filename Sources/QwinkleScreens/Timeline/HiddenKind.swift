public import QwinkleModel

/// A kind of qwinks that a pane can leave out. Raw values are what `:hide` and the option `hide` call it.
public enum HiddenKind: String, CaseIterable, Hashable, Sendable {
  case boosts, replies

  /// Whether a qwink in a timeline is of that kind. Mine, and replies to me, are of none.
  public func holds(for qwink: Qwink, me: Qwinker.ID?) -> Bool {
    if qwink.comes(from: me) { return false }
    return switch self {
    case .boosts: qwink.booster != nil
    case .replies: qwink.booster == nil && qwink.inReplyTo != nil && (me == nil || qwink.inReplyToAuthor != me)
    }
  }
}

extension TimelineName {
  /// Whether those whom I mute or block are left out. Who is looked up by name, and what I keep, is shown.
  var leavesOutMuted: Bool {
    switch self {
    case .public, .local, .home, .tag, .list, .trending: true
    case .qwinker, .part, .bookmarks, .favourites: false
    }
  }

  /// Whether the option `hide` is about it.
  var hidesByOption: Bool { leavesOutMuted && self != .trending }
}
