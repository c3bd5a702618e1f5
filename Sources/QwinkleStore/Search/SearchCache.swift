public import QwinkleModel
import Timekeeping

/// What was found in the cache.
public struct KeptResults: Sendable {
  public var results: SearchResults
  /// Whether everything cached was searched. After an upgrade, or a damage, the index is built in the background.
  public var isWhole: Bool

  public init(_ results: SearchResults = SearchResults(), isWhole: Bool = true) {
    self.results = results
    self.isWhole = isWhole
  }
}

/// A search of the cache under way. Releasing it cancels it.
public final class KeptSearch: Sendable {}

/// Finds cached qwinks and direct messages, their authors and their hashtags, without a network.
///
/// Every word of a search must start a word of the qwink, its author's name or its hashtags, whatever its case and
/// accents; in scripts without spaces any part is found. An emoji is a word.
public final class SearchCache: Sendable {
  let timelines: TimelineCache

  /// A search of what is in the file of `timelines`, which opens and closes it.
  public init(of timelines: TimelineCache) {
    self.timelines = timelines
  }

  /// Searches in the background. Calls `then` with up to `limit` results of each kind, newest first, unless the search
  /// is released before.
  public func find(
    _ words: String, limit: Int, then: @escaping @MainActor @Sendable (KeptResults) -> Void
  ) -> KeptSearch {
    let search = KeptSearch()
    let activity = timelines.ledger.begin("search the cache")
    // What was left unindexed, such as by an upgrade.
    timelines.index.wake()
    timelines.index.read { [weak search] database -> KeptResults? in
      guard search != nil, let finder = CacheSearch(words, in: database) else { return KeptResults() }
      var results = SearchResults(qwinks: try finder.qwinks(limit: limit))
      guard search != nil else { return nil }
      results.qwinkers = try finder.qwinkers(limit: limit)
      results.tags = try finder.tags(limit: limit)
      return KeptResults(results, isWhole: try !SearchIndexing(database: database).hasMore())
    } then: { [weak search] found in
      Task { @MainActor in
        if search != nil { then(found ?? KeptResults(isWhole: false)) }
        activity.end()
      }
    }
    return search
  }

  /// Searches everything cached, after indexing what isn't yet.
  @MainActor
  public func findInAll(_ words: String, limit: Int) async -> KeptResults {
    await withCheckedContinuation { continuation in
      timelines.index.whenDone { continuation.resume() }
    }
    var search: KeptSearch?
    defer { withExtendedLifetime(search) {} }
    return await withCheckedContinuation { continuation in
      search = find(words, limit: limit) { continuation.resume(returning: $0) }
    }
  }
}
