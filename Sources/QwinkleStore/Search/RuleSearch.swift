import Databases
import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
import Timekeeping

/// A page of cached qwinks that match a rule.
public struct RulePage: Sendable {
  /// Most recently written first, without duplicates. A boost appears only if the rule doesn't match its original.
  public var qwinks: [Qwink] = []
  /// Index position of the next page. Nil if there are no more pages.
  public var next: Int?
  /// Whether everything cached was in the index during the search. False if the search failed. Indexing takes some time
  /// after an upgrade or a repair.
  public var isWhole = true

  public init() {}
}

extension SearchCache {
  /// Number of qwinks in a page of a search through the whole cache.
  private static var pageSize: Int { 40 }

  /// Searches in the background for qwinks that match `rule`, starting at `place`, or at the newest qwink if `place` is
  /// nil. Calls `then` when `limit` qwinks are found or all have been checked, unless the caller has released the
  /// returned object by then. With `isSoon`, calls `then` after the first batch in which qwinks are found. The search
  /// runs in batches, and other searches can run between them.
  public func find(
    _ rule: ViewRule, from place: Int? = nil, limit: Int, isSoon: Bool = false,
    then: @escaping @MainActor @Sendable (RulePage) -> Void
  ) -> CacheQuery {
    let search = CacheQuery()
    let activity = timelines.ledger.begin("search the cache")
    let finder = RuleSearch(rule: rule, place: place ?? .max, limit: limit, isSoon: isSoon)
    look(finder, for: search) { [weak search] page in
      Task { @MainActor in
        if search != nil { then(page) }
        activity.end()
      }
    }
    timelines.index.wake()
    return search
  }

  /// Indexes everything cached, then returns up to `limit` qwinks that match `rule`, as `shown` returns them. Qwinks
  /// for which `shown` returns nil don't count.
  @MainActor
  public func findInAll(_ rule: ViewRule, limit: Int, shown: (Qwink) -> Qwink?) async -> [Qwink] {
    await withCheckedContinuation { continuation in
      whenIndexed { continuation.resume() }
    }
    var found: [Qwink] = []
    var place: Int?
    repeat {
      let page = await page(rule, from: place)
      found += page.qwinks.compactMap(shown)
      place = page.next
    } while place != nil && found.count < limit
    return Array(found.prefix(limit))
  }

  @MainActor
  private func page(_ rule: ViewRule, from place: Int?) async -> RulePage {
    var search: CacheQuery?
    defer { withExtendedLifetime(search) {} }
    return await withCheckedContinuation { continuation in
      search = find(rule, from: place, limit: Self.pageSize) { continuation.resume(returning: $0) }
    }
  }

  /// Calls `then` when everything cached is indexed, or when indexing has failed or the index is closed.
  public func whenIndexed(_ then: @escaping @MainActor @Sendable () -> Void) {
    timelines.index.whenDone { Task { @MainActor in then() } }
  }

  /// Checks a batch of qwinks, then lets other searches run before the next batch.
  private func look(_ finder: RuleSearch, for search: CacheQuery?, then: @escaping @Sendable (RulePage) -> Void) {
    timelines.index.read { [weak search] database -> RuleSearch? in
      guard search != nil else { return nil }
      var finder = finder
      try finder.step(in: database)
      return finder
    } then: { [self, weak search] found in
      guard let found, search != nil else {
        // The caller has released the search, or the index can't be read. End with the results so far.
        var page = finder.page
        page.isWhole = false
        return then(page)
      }
      if found.isDone { then(found.page) } else { look(found, for: search, then: then) }
    }
  }
}

/// The progress and results of a search by rule.
struct RuleSearch: Sendable {
  /// Number of qwinks checked per transaction.
  private static let sliceSize = 100
  /// Number of qwinks read per query. Each query searches the index for all qwinks with the rule's words.
  private static let mostCandidates = 2000
  /// Maximum number of cached rows checked per qwink: the qwink itself and its boosts.
  private static let mostRows = 20

  let rule: ViewRule
  /// Index id below which the search continues.
  private var place: Int
  let limit: Int
  /// Whether the search ends with the first batch in which qwinks are found.
  let isSoon: Bool
  /// Candidates not yet checked, newest first.
  private var waiting: ArraySlice<(id: Int, qwink: String)> = []
  private var hasMoreCandidates = true
  private(set) var page = RulePage()
  private(set) var isDone = false

  init(rule: ViewRule, place: Int, limit: Int, isSoon: Bool = false) {
    self.rule = rule
    self.place = place
    self.limit = limit
    self.isSoon = isSoon
  }

  /// Checks the next batch of qwinks.
  mutating func step(in database: Database) throws {
    if waiting.isEmpty {
      let found = try candidates(in: database)
      hasMoreCandidates = found.count == Self.mostCandidates
      waiting = found[...]
    }
    for _ in 0..<Self.sliceSize {
      guard page.qwinks.count < limit, let next = waiting.popFirst() else { break }
      place = next.id
      // Nil also for a qwink that was deleted after the query.
      if let qwink = try match(next.qwink, in: database) { page.qwinks.append(qwink) }
    }
    let isAtEnd = waiting.isEmpty && !hasMoreCandidates
    let isEnough = page.qwinks.count >= limit || (isSoon && !page.qwinks.isEmpty)
    isDone = isEnough || isAtEnd
    page.next = isEnough && !isAtEnd ? place : nil
    if isDone { page.isWhole = try !SearchIndexing(database: database).hasMore() }
  }

  /// Returns the next qwinks to check, newest first: only qwinks that contain the words which the rule requires, or all
  /// qwinks if the rule requires no words.
  private func candidates(in database: Database) throws -> [(id: Int, qwink: String)] {
    let expressions = rule.neededWords.prefix(5).compactMap { SearchText.expression(for: $0.text, signs: .words) }
    guard !expressions.isEmpty else {
      return try Row.fetchAll(
        database, sql: "SELECT id, qwink FROM words WHERE id < ? ORDER BY id DESC LIMIT ?",
        arguments: [place, Self.mostCandidates]
      ).map { (try $0.value("id"), try $0.value("qwink")) }
    }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT words.id AS id, qwink FROM word_index JOIN words ON words.id = word_index.rowid
        WHERE word_index MATCH ? AND word_index.rowid < ? ORDER BY word_index.rowid DESC LIMIT ?
        """,
      arguments: [expressions.map { "{tags text} : (\($0))" }.joined(separator: " AND "), place, Self.mostCandidates]
    ).map { (try $0.value("id"), try $0.value("qwink")) }
  }

  /// Returns the ids of the newest qwinks that match an FTS5 expression in their text or tags, newest first.
  static func newest(matching expression: String, in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT qwink FROM word_index JOIN words ON words.id = word_index.rowid
        WHERE word_index MATCH ? ORDER BY word_index.rowid DESC LIMIT ?
        """, arguments: ["{tags text} : (\(expression))", mostCandidates])
  }

  /// Returns the first of a qwink's rows that matches the rule.
  private func match(_ id: String, in database: Database) throws -> Qwink? {
    let qwinks = try CachedContent(database).rows(of: id, most: Self.mostRows)
    // If only boosts of a qwink are cached, also check the original itself.
    let original = qwinks.first { $0.booster == nil } ?? qwinks.first?.original
    return ([original].compactMap(\.self) + qwinks).first(where: rule.matches)
  }
}
