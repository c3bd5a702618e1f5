/// An action on a qwink that the user can undo.
public enum Reaction: String, Hashable, Sendable, CaseIterable {
  case boost, favourite, bookmark
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
    let step = isOn ? 1 : -1
    switch reaction {
    case .boost:
      changed.isBoosted = isOn
      changed.boostsCount = max(0, boostsCount + step)
    case .favourite:
      changed.isFavourite = isOn
      changed.favouritesCount = max(0, favouritesCount + step)
    case .bookmark:
      changed.isBookmarked = isOn
    }
    return changed
  }
}
