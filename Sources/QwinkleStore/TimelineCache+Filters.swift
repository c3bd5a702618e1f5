import GRDB
public import QwinkleModel

/// Filter matches of cached qwinks. They are part of the server's JSON, so the server's next page with a qwink replaces
/// them.
extension TimelineCache {
  /// Changes the filter matches of qwinks and their boosts.
  public func changeFilterMatches(
    of ids: Set<Qwink.ID>, by change: @escaping @Sendable (inout Qwink) -> Void
  ) {
    guard !ids.isEmpty else { return }
    write("save filter matches", about: .content) { database in
      let content = CachedContent(database)
      for id in ids { try content.changeFilterMatches(of: id.rawValue, by: change) }
    }
  }

  /// Changes the filter matches of qwinks that contain one of `texts`, and of their boosts. Finds them with the search
  /// index, so it misses qwinks that aren't indexed yet.
  public func changeFilterMatches(
    ofQwinksWith texts: [String], by change: @escaping @Sendable (inout Qwink) -> Void
  ) {
    let expressions = texts.compactMap { SearchText.expression(for: $0) }
    guard !expressions.isEmpty else { return }
    // A separate transaction, because a damaged index makes it fail.
    write("save filter matches", about: .content) { database in
      let content = CachedContent(database)
      for expression in expressions {
        for id in try RuleSearch.newest(matching: expression, in: database) {
          try content.changeFilterMatches(of: id, by: change)
        }
      }
    }
  }
}
