/// A kind of qwinks that a pane can hide. Raw values are the names used by `:hide` and the `hide` option.
public enum HiddenKind: String, CaseIterable, Hashable, Sendable {
  case boosts, replies
  /// Rows that were read before the reader's visit.
  case read

  /// The kinds that depend on the qwink alone.
  public static let ofQwinks: [HiddenKind] = [.boosts, .replies]

  /// Whether a qwink in a timeline is of this kind. The user's own qwinks and boosts never are, nor are replies to the
  /// user. Always false for ``read``, which depends on the row's position.
  public func holds(for qwink: Qwink, me: Qwinker.ID?) -> Bool {
    if qwink.comes(from: me) { return false }
    return switch self {
    case .boosts: qwink.booster != nil
    case .replies: qwink.booster == nil && qwink.inReplyTo != nil && (me == nil || qwink.inReplyToAuthor != me)
    case .read: false
    }
  }
}

/// The kinds and rules by which timelines, views and catch-ups hide qwinks. They never hide the user's own qwinks and
/// boosts.
public struct HiddenQwinks: Hashable, Sendable {
  public var kinds: Set<HiddenKind>
  public var rules: [ViewRule]

  public init(kinds: Set<HiddenKind> = [], rules: [ViewRule] = []) {
    self.kinds = kinds
    self.rules = rules
  }

  public var isEmpty: Bool { kinds.isEmpty && rules.isEmpty }

  /// Whether a qwink is hidden at any position.
  public func contains(_ qwink: Qwink, me: Qwinker.ID?) -> Bool {
    kinds.contains { $0.holds(for: qwink, me: me) }
      || (!rules.isEmpty && !qwink.comes(from: me) && rules.contains { $0.matches(qwink) })
  }
}

extension Qwink {
  /// Whether `qwinker` wrote this qwink or, if it is a boost, boosted it.
  public func comes(from qwinker: Qwinker.ID?) -> Bool { (booster ?? author).id == qwinker }
}

extension TimelineName {
  /// Whether the timeline hides muted and blocked users. Profiles, bookmarks and favourites show them.
  public var leavesOutMuted: Bool {
    switch self {
    case .public, .local, .home, .tag, .list, .trending, .quotes: true
    case .qwinker, .part, .bookmarks, .favourites: false
    }
  }

  /// Whether the `hide` option and the user's rules apply.
  public var hidesByOption: Bool {
    if case .quotes = self { return false }
    return leavesOutMuted && self != .trending
  }
}
