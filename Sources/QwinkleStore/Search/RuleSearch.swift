import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
import Timekeeping

/// A page of cached qwinks for which a rule holds.
public struct RulePage: Sendable {
  /// Those written last first, each once: as it was written, or else as somebody boosted it.
  public var qwinks: [Qwink] = []
  /// Where older ones are looked for; nil: there are no more.
  public var next: Int?
  /// Whether everything cached is in the index. After an upgrade, or a damage, that takes some time.
  public var isWhole = true

  public init() {}
}

extension SearchCache {
  /// Looks in the background for qwinks for which `rule` holds, from `place` on, or from the newest if that is nil.
  /// Calls `then` once about `limit` are found or all have been looked at, unless the search is released before. Others
  /// who search don't wait for it.
  public func find(
    _ rule: ViewRule, from place: Int? = nil, limit: Int, then: @escaping @MainActor @Sendable (RulePage) -> Void
  ) -> KeptSearch {
    let search = KeptSearch()
    let activity = timelines.ledger.begin("search the cache")
    timelines.index.wake()
    look(RuleSearch(rule: rule, place: place ?? .max, limit: limit), for: search) { [weak search] page in
      Task { @MainActor in
        if search != nil { then(page) }
        activity.end()
      }
    }
    return search
  }

  /// Calls `then` when everything cached is in the index, or can't be.
  public func whenIndexed(_ then: @escaping @MainActor @Sendable () -> Void) {
    timelines.index.whenDone { Task { @MainActor in then() } }
  }

  /// Looks at some qwinks, then lets others search.
  private func look(_ finder: RuleSearch, for search: KeptSearch?, then: @escaping @Sendable (RulePage) -> Void) {
    timelines.index.read { [weak search] database -> RuleSearch? in
      guard search != nil else { return nil }
      var finder = finder
      try finder.step(in: database)
      return finder
    } then: { [self, weak search] found in
      guard let found, search != nil else {
        // What was found so far, of an index that can't be read.
        var page = finder.page
        page.isWhole = false
        return then(page)
      }
      if found.isDone { then(found.page) } else { look(found, for: search, then: then) }
    }
  }
}

/// A search by a rule: how far it is, and what it has found.
struct RuleSearch: Sendable {
  /// Qwinks that are looked at in a transaction.
  private static let sliceSize = 100
  /// Rows of one qwink that are looked at, such as its boosts.
  private static let mostRows = 20

  let rule: ViewRule
  /// Below this id of the index.
  private var place: Int
  let limit: Int
  private(set) var page = RulePage()
  private(set) var isDone = false

  init(rule: ViewRule, place: Int, limit: Int) {
    self.rule = rule
    self.place = place
    self.limit = limit
  }

  /// Looks at the next qwinks.
  mutating func step(in database: Database) throws {
    let rows = try candidates(in: database)
    for row in rows {
      place = row["id"]
      if let qwink = try match(row["qwink"], in: database) { page.qwinks.append(qwink) }
      if page.qwinks.count >= limit { break }
    }
    if page.qwinks.count >= limit {
      page.next = place
      isDone = true
    } else {
      isDone = rows.count < Self.sliceSize
    }
    if isDone { page.isWhole = try !SearchIndexing(database: database).hasMore() }
  }

  /// Those that have the words that the rule needs, newest first.
  private func candidates(in database: Database) throws -> [Row] {
    let expressions = rule.neededWords.prefix(5).compactMap { SearchText.expression(for: $0.text, signs: .words) }
    guard !expressions.isEmpty else {
      return try Row.fetchAll(
        database, sql: "SELECT id, qwink FROM words WHERE id < ? ORDER BY id DESC LIMIT ?",
        arguments: [place, Self.sliceSize])
    }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT words.id AS id, qwink FROM word_index JOIN words ON words.id = word_index.rowid
        WHERE word_index MATCH ? AND word_index.rowid < ? ORDER BY word_index.rowid DESC LIMIT ?
        """,
      arguments: [expressions.map { "{tags text} : (\($0))" }.joined(separator: " AND "), place, Self.sliceSize])
  }

  /// The first of a qwink's rows for which the rule holds.
  private func match(_ id: String, in database: Database) throws -> Qwink? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT source FROM (SELECT source, status <> original AS rank FROM qwink WHERE original = ?1
          UNION ALL SELECT source, 2 FROM message WHERE id = ?1) ORDER BY rank LIMIT ?2
        """)
    let rows = try Data.fetchAll(statement, arguments: [id, Self.mostRows])
    let qwinks = rows.compactMap { try? WireDecoder.qwink(from: [UInt8]($0)) }
    // A qwink that is cached as a boost alone is one that was written, too.
    let original = qwinks.first { $0.booster == nil } ?? qwinks.first?.original
    return ([original].compactMap(\.self) + qwinks).first(where: rule.matches)
  }
}
