public import QwinkleModel
import Timekeeping

/// The results of a cache search.
public struct CachedResults: Sendable {
  public var results = SearchResults()
  /// Whether everything cached was searched. False if the search failed. The index is rebuilt in the background after
  /// an upgrade or a repair.
  public var isWhole = true
}

/// A cache search in progress. Releasing it cancels the search.
public final class CacheQuery: Sendable {}

/// Searches cached qwinks and direct messages, their authors, and their hashtags offline.
///
/// Each search word must be the prefix of a word in the qwink, its author's name or its hashtags, ignoring case and
/// accents. In scripts without spaces, it may match anywhere. An emoji counts as a word.
public final class SearchCache: Sendable {
  let timelines: TimelineCache

  /// Creates a search of the file of `timelines`, which opens and closes the file.
  public init(of timelines: TimelineCache) {
    self.timelines = timelines
  }

  /// Searches in the background. Calls `then` with up to `limit` results of each kind, newest first (hashtags: most
  /// frequent first), unless the caller has released the returned object by then.
  public func find(
    _ words: String, limit: Int, then: @escaping @MainActor @Sendable (CachedResults) -> Void
  ) -> CacheQuery {
    let search = CacheQuery()
    let activity = timelines.ledger.begin("search the cache")
    timelines.index.read { [weak search] database -> CachedResults? in
      guard search != nil, let finder = CacheSearch(words, in: database) else { return CachedResults() }
      var results = SearchResults(qwinks: try finder.qwinks(limit: limit))
      guard search != nil else { return nil }
      results.qwinkers = try finder.qwinkers(limit: limit)
      results.tags = try finder.tags(limit: limit)
      return CachedResults(results: results, isWhole: try !SearchIndexing(database: database).hasMore())
    } then: { [weak search] found in
      Task { @MainActor in
        if search != nil { then(found ?? CachedResults(isWhole: false)) }
        activity.end()
      }
    }
    // Indexes content that isn't indexed yet, for example after an upgrade. Runs after the search on the same queue.
    timelines.index.wake()
    return search
  }

  /// Indexes everything cached, then searches it.
  @MainActor
  public func findInAll(_ words: String, limit: Int) async -> CachedResults {
    await withCheckedContinuation { continuation in
      timelines.index.whenDone { continuation.resume() }
    }
    var search: CacheQuery?
    defer { withExtendedLifetime(search) {} }
    return await withCheckedContinuation { continuation in
      search = find(words, limit: limit) { continuation.resume(returning: $0) }
    }
  }
}
