/// An action on a qwink that the user can undo.
public enum Reaction: String, Hashable, Sendable, CaseIterable {
  case boost, favourite, bookmark

  /// The qwink's number of these reactions; nil for bookmarks, which only the user can see.
  public var count: WritableKeyPath<Qwink, Int>? {
    switch self {
    case .boost: \.boostsCount
    case .favourite: \.favouritesCount
    case .bookmark: nil
    }
  }
}

/// Words for messages, hints and lists.
extension Reaction {
  /// A noun, such as `boost`. The plural has an `s`.
  public var noun: String { rawValue }

  /// A verb that begins a sentence, such as `Boosting`.
  public var activity: String { words.activity }

  /// A verb for the opposite action, such as `undo boost`.
  public var undoing: String { words.undoing }

  /// Returns the result as a sentence, such as `Boosted` or `Boost removed`.
  public func sentence(isOn: Bool) -> String { isOn ? words.done : "\(noun.capitalizingFirst) removed" }

  private var words: (activity: String, undoing: String, done: String) {
    switch self {
    case .boost: ("Boosting", "undo boost", "Boosted")
    case .favourite: ("Favouriting", "unfavourite", "Favourited")
    case .bookmark: ("Bookmarking", "remove bookmark", "Bookmarked")
    }
  }
}

extension Qwink {
  /// Whether the user has reacted this way.
  public func has(_ reaction: Reaction) -> Bool {
    switch reaction {
    case .boost: isBoosted
    case .favourite: isFavourite
    case .bookmark: isBookmarked
    }
  }

  /// Returns the qwink with the reaction set or undone, and its count adjusted.
  public func setting(_ reaction: Reaction, to isOn: Bool) -> Qwink {
    guard has(reaction) != isOn else { return self }
    var changed = self
    switch reaction {
    case .boost: changed.isBoosted = isOn
    case .favourite: changed.isFavourite = isOn
    case .bookmark: changed.isBookmarked = isOn
    }
    if let count = reaction.count { changed[keyPath: count] = max(0, self[keyPath: count] + (isOn ? 1 : -1)) }
    return changed
  }
}
