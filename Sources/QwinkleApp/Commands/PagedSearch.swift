import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// A search that reads further pages if the first one has too few results.
struct PagedSearch {
  /// Largest page size, for each kind of result, that every server supports.
  private static let pageSize = 40

  /// Maximum number of cached results to read before they are filtered by time.
  private static let maximumStored = 2000

  let words: String
  /// Maximum number of results of each kind.
  let limit: Int
  let range: TimeRange
  /// Whether the results include the server's JSON.
  let hasJSON: Bool

  /// Returns the results from the server.
  @MainActor
  func results(from server: AccountConnection) async throws -> SentResults {
    // With a time range, request a full page: a small one may have no result within the range.
    let size = range == TimeRange() ? min(limit, Self.pageSize) : Self.pageSize
    let request = Request<SearchResults>.search(words, limit: size)
    var results = SentResults(try await server.answer(to: request.sourced), hasJSON: hasJSON)
    // Servers return further pages only to signed-in users.
    let isWhole = limit <= size && range == TimeRange() || !server.isSignedIn
    let start = results
    for kind in SearchKind.allCases where !isWhole && start.count(of: kind) >= size {
      try await readOn(kind, into: &results, from: server)
    }
    results.qwinks = results.qwinks.filter { range.contains($0.item.createdAt) }
    return results.prefix(limit)
  }

  /// Returns results from the rows that the screen has cached for the account.
  ///
  /// - Throws: ``AppError`` if nothing is cached.
  @MainActor
  func cachedResults(of session: AccountSession) async throws -> SentResults {
    let folder = "\(Paths().cache)/\(session.accountFolder)"
    guard TimelineCache.exists(in: folder) else {
      throw AppError.failed("Nothing from \(session.words) is cached on this machine. The screen caches what it shows.")
    }
    let cache = try TimelineCache(directory: folder, ledger: ActivityLedger())
    defer { cache.close() }
    let size = range == TimeRange() ? limit : Self.maximumStored
    var results = await SearchCache(of: cache).findInAll(words, limit: size).results
    results.qwinks = results.qwinks.filter { range.contains($0.createdAt) }
    return SentResults(results).prefix(limit)
  }

  /// Reads further pages of one kind. Stops when `limit` results are found, after the last page, or after a page
  /// without new results.
  @MainActor
  private func readOn(_ kind: SearchKind, into results: inout SentResults, from server: AccountConnection)
    async throws
  {
    var offset = results.count(of: kind)
    while wanted(kind, in: results) < limit {
      let request = Request<SearchResults>.search(words, limit: Self.pageSize, kind, offset: offset)
      let page = SentResults(try await server.answer(to: request.sourced), hasJSON: hasJSON)
      let before = results.count(of: kind)
      results.add(page, kind)
      let count = page.count(of: kind)
      offset += count
      guard results.count(of: kind) > before, count >= Self.pageSize else { return }
    }
  }

  private func wanted(_ kind: SearchKind, in results: SentResults) -> Int {
    kind == .qwinks ? results.qwinks.count { range.contains($0.item.createdAt) } : results.count(of: kind)
  }
}
