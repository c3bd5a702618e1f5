import Foundation
import GRDB
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// Search in the cache, without a network.
@MainActor
@Suite(.bounded) struct SearchCacheTests {
  private let ledger = ActivityLedger()
  private let clock = VirtualClock()
  private let start = Date(timeIntervalSince1970: 1_767_225_600)

  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func withCache(_ body: (TimelineCache) async throws -> Void) async throws {
    try await inFolder { path in
      let cache = try TimelineCache(directory: path, ledger: ledger, clock: clock)
      try await body(cache)
      cache.close()
    }
  }

  private func qwink(_ number: Int, _ text: String, author: Qwinker = .sample()) -> Qwink {
    .sample(id: Qwink.ID("\(number)"), text: text, author: author, at: start.addingTimeInterval(Double(number) * 60))
  }

  private func keep(_ qwinks: [Qwink], in cache: TimelineCache, of name: TimelineName = .public) async {
    cache.merge(Page(items: qwinks), at: .newest, in: name)
    await ledger.settle()
  }

  private func ids(_ words: String, in cache: TimelineCache, limit: Int = 40) async -> [String] {
    await SearchCache(of: cache).findInAll(words, limit: limit).results.qwinks.map(\.id.rawValue)
  }

  @Test func `a qwink is found by each of its visible texts`() async throws {
    try await withCache { cache in
      var all = qwink(1, "A heron stands in the pond. #Garten", author: .sample("bob", displayName: "Robert Müller"))
      all.author.handle = "bob@tilde.example"
      all.contentWarning = "Birds"
      all.tags = ["Garten"]
      all.attachments = [Attachment(id: "1", kind: .image, altText: "Frozen water at dawn")]
      all.poll = Poll(id: "1", options: [.init(title: "Grey"), .init(title: "Purple")])
      all.card = Qwink.Card(url: "https://a.example", title: "Wading for beginners")
      await keep([qwink(2, "Something else"), all], in: cache)
      for words in [
        "heron", "HER", "stands pond", "birds", "dawn froz", "purple", "wading", "robert", "muller", "Mül",
        "@bob@tilde.example", "#garten", "heron bob purple", "“heron”",
      ] {
        #expect(await ids(words, in: cache) == ["1"], "\(words)")
      }
      for words in ["eron", "heron else", "", "  ", "\"", "*", "🦆"] {
        #expect(await ids(words, in: cache) == [], "\(words)")
      }
    }
  }

  @Test func `accents, emoji and scripts without spaces are searchable`() async throws {
    try await withCache { cache in
      let texts = [
        1: "東京でお茶を飲みました", 2: "ฉันรักประเทศไทย", 3: "Le café d’Éloïse", 4: "Schöne Grüße", 5: "Party 🥳🎉tonight",
        6: "Done 👍🏽!", 7: "Привет мир",
      ]
      await keep(texts.keys.sorted(by: >).map { qwink($0, texts[$0] ?? "") }, in: cache)
      for (words, id) in [
        ("お茶", 1), ("京で", 1), ("ประเทศ", 2), ("cafe", 3), ("eloise", 3), ("GRUSSE", 0), ("grüße", 4), ("schone", 4),
        ("🎉", 5), ("🥳", 5), ("tonight", 5), ("🎉 party", 5), ("👍", 6), ("👍🏽", 6), ("мир", 7), ("🎂", 0), ("京都", 0),
      ] {
        #expect(await ids(words, in: cache) == (id == 0 ? [] : ["\(id)"]), "\(words)")
      }
    }
  }

  @Test func `the newest qwinks are found first up to the limit in any order of insertion`() async throws {
    try await withCache { cache in
      await keep([qwink(30, "frost"), qwink(29, "frost")], in: cache)
      await keep((1...20).reversed().map { qwink($0, "frost \($0)") }, in: cache, of: .home)
      // Many qwinks of one second.
      await keep(
        (101...300).map { number in
          .sample(id: Qwink.ID("\(number)"), text: "thaw", at: start)
        }, in: cache, of: .local)
      #expect(await ids("frost", in: cache, limit: 5) == ["30", "29", "20", "19", "18"])
      #expect(await ids("frost", in: cache).count == 22)
      #expect(Set(await ids("thaw", in: cache, limit: 1000)).count == 200)
    }
  }

  @Test func `each author and hashtag is found once`() async throws {
    try await withCache { cache in
      let bob = Qwinker.sample("bob", displayName: "Robert")
      var tagged = (1...3).map { qwink($0, "text", author: bob) }
      tagged[0].tags = ["Garden"]
      tagged[1].tags = ["gardening", "東京"]
      tagged[2].tags = ["garden", "frost"]
      await keep(tagged.reversed() + [qwink(0, "bob was here", author: .sample("carol"))], in: cache)
      let search = SearchCache(of: cache)
      #expect(await search.findInAll("bob", limit: 5).results.qwinkers == [bob])
      #expect(await search.findInAll("rob", limit: 5).results.qwinkers == [bob])
      #expect(await search.findInAll("#gard", limit: 5).results.tags.map(\.name) == ["garden", "gardening"])
      #expect(await search.findInAll("東", limit: 5).results.tags.map(\.name) == ["東京"])
      #expect(await search.findInAll("garden frost", limit: 5).results.tags.isEmpty)
    }
  }

  @Test func `each author is found once, most recently active first`() async throws {
    try await withCache { cache in
      let authors = ["a", "b", "c"].map { Qwinker.sample("\($0)", displayName: "Robin \($0)") }
      await keep((0..<30).reversed().map { qwink($0, "Hello", author: authors[$0 % 3]) }, in: cache)
      let search = SearchCache(of: cache)
      #expect(await search.findInAll("robin", limit: 2).results.qwinkers == [authors[2], authors[1]])
      #expect(await search.findInAll("robin", limit: 5).results.qwinkers == authors.reversed())
    }
  }

  @Test func `a boost is found once as its original`() async throws {
    try await withCache { cache in
      var boost = qwink(1, "frost", author: .sample("bob"))
      boost.id = "9"
      boost.booster = .sample("carol")
      await keep([boost, qwink(1, "frost", author: .sample("bob"))], in: cache)
      let found = await SearchCache(of: cache).findInAll("frost", limit: 9).results.qwinks
      #expect(found.map(\.id) == ["1"] && found.first?.booster == nil)
      // The same if only the boost is cached.
      await keep([boost], in: cache, of: .home)
      cache.replace([.init(.qwink(boost))], of: .public, older: nil)
      await ledger.settle()
      #expect(await ids("frost", in: cache) == ["1"])
    }
  }

  @Test func `the index follows edits, deletions and messages`() async throws {
    try await withCache { cache in
      await keep([qwink(2, "frost"), qwink(1, "frost")], in: cache)
      cache.update(qwink(2, "thaw"))
      await ledger.settle()
      #expect(await ids("frost", in: cache) == ["1"])
      #expect(await ids("thaw", in: cache) == ["2"])
      // Some servers give an edited qwink a new id.
      cache.replace("2", by: qwink(3, "hail"))
      await ledger.settle()
      #expect(await ids("thaw", in: cache) == [])
      #expect(await ids("hail", in: cache) == ["3"])
      cache.remove("1")
      await ledger.settle()
      #expect(await ids("frost", in: cache) == [])

      let conversations = ConversationCache(beside: cache)
      conversations.keep([qwink(4, "the blue cable"), qwink(5, "at eight")], of: "c")
      await ledger.settle()
      #expect(await ids("cable", in: cache) == ["4"])
      conversations.keep([qwink(4, "the red cable")], of: "c")
      conversations.removeMessages(["5"])
      await ledger.settle()
      #expect(await ids("blue", in: cache) == [])
      #expect(await ids("red", in: cache) == ["4"])
      #expect(await ids("eight", in: cache) == [])
    }
  }

  @Test(arguments: [Soak.seed]) func `no query is an error however long or strange it is`(seed: UInt64) async throws {
    try await withCache { cache in
      await keep([qwink(1, "frost")], in: cache)
      var random = SplitMix(seed: seed)
      let parts = [
        "\"", "'", "*", "(", ")", "{", "}", ":", "^", "-", "+", "AND", "OR", "NOT", "NEAR(", "text:", "frost", ",",
        "\\",
        ";", "--", "\0", "東", "🎉", "é", "%", "_", " ", "\n", "\u{202E}", "NULL",
      ]
      var queries = (0..<Soak.runs(200, times: 20)).map { _ in
        (0..<Int.random(in: 1...12, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      }
      queries += [
        String(repeating: "a", count: 100_000), String(repeating: "東", count: 50_000),
        String(repeating: "\"", count: 50_000), String(repeating: "frost ", count: 20_000),
      ]
      for query in queries {
        let found = await SearchCache(of: cache).findInAll(query, limit: 3)
        #expect(found.isWhole, "\(query.prefix(50).debugDescription)")
      }
      #expect(await ids(String(repeating: "frost ", count: 20_000), in: cache) == ["1"])
    }
  }

  @Test func `a released search calls no handler`() async throws {
    try await withCache { cache in
      await keep([qwink(1, "frost")], in: cache)
      var told = 0
      var kept: CacheQuery?
      _ = SearchCache(of: cache).find("frost", limit: 3) { _ in told += 1 }
      kept = SearchCache(of: cache).find("frost", limit: 3) { _ in told += 10 }
      await ledger.settle()
      #expect(kept != nil && told == 10)
      kept = nil
    }
  }

  @Test func `pruning shrinks the index too`() async throws {
    try await inFolder { path in
      let cache = try TimelineCache(directory: path, ledger: ledger, clock: clock)
      let text = String(repeating: "long ", count: 30)
      await keep((1...3000).reversed().map { qwink($0, "\(text) word\($0) other\($0 * 7)") }, in: cache)
      let size = cache.contentSize
      cache.prune(to: CacheLimits(size: size / 2), sparing: [:]) { id, name in
        PageCursor(url: "\(name.key)?max_id=\(id.rawValue)")
      }
      await ledger.settle()
      let left = cache.load(.public, limit: 5000).rows.count
      #expect(left > 900 && left < 1700, "\(left) rows are left")
      #expect(cache.contentSize < size * 6 / 10, "\(cache.contentSize) of \(size) bytes")
      #expect(await ids("word2999", in: cache) == ["2999"])
      #expect(await ids("word9", in: cache, limit: 5000).allSatisfy { Int($0) ?? 0 > 3000 - left })
      cache.close()
      try await checkIndex(in: path, count: left)
    }
  }

  @Test func `a file of version 5 retains its content and is indexed in the background`() async throws {
    try await inFolder { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/cache/version-5.sqlite")
      try FileManager.default.copyItem(at: fixture, to: URL(filePath: path + "/cache.sqlite"))
      let cache = try TimelineCache(directory: path, ledger: ledger)
      #expect(cache.remark == nil)
      #expect(ledger.begunCount == 0, "nothing is indexed before something is written or looked for")
      #expect(cache.load(.public, limit: 100).rows.count == 12)
      #expect(cache.load(.bookmarks, limit: 100).rows.count == 1)
      for (words, count) in [("heron", 1), ("お茶", 1), ("dune", 1), ("worm 🎉", 1), ("cable", 1), ("qwinkle", 9)] {
        #expect(await ids(words, in: cache).count == count, "\(words)")
      }
      cache.close()
      try await checkIndex(in: path, count: 13)
      // The check of a marked file accepts a migrated one.
      try Data().write(to: URL(filePath: path + "/cache-damaged"))
      #expect(try TimelineCache(directory: path, ledger: ledger).remark == nil)
    }
  }

  @Test func `two programs on one file find each other's cached qwinks`() async throws {
    try await inFolder { path in
      let caches = try (0..<2).map { _ in try TimelineCache(directory: path, ledger: ledger) }
      for number in 1...40 {
        caches[number % 2].insertOwn(qwink(number, "frost \(number)"), in: .public)
        if number % 5 == 0 { caches[(number + 1) % 2].remove(Qwink.ID("\(number - 1)")) }
      }
      await ledger.settle()
      let found = await ids("frost", in: caches[0], limit: 100)
      #expect(await ids("frost", in: caches[1], limit: 100) == found)
      #expect(found.count >= 30, "\(found)")
      let kept = caches[0].load(.public, limit: 100).rows.compactMap { $0.qwink?.id.rawValue }
      #expect(Set(kept) == Set(found))
      for cache in caches { cache.close() }
      try await checkIndex(in: path, count: found.count)
    }
  }

  // MARK: Damage

  @Test(arguments: [
    "DELETE FROM word_index_data WHERE id > 10", "UPDATE word_index_data SET block = zeroblob(3) WHERE id = 10",
    "DROP TABLE word_index", "DROP TABLE words",
  ]) func `a corrupt index is rebuilt and reported`(damage: String) async throws {
    try await inFolder { path in
      let first = try TimelineCache(directory: path, ledger: ledger)
      await keep((1...100).reversed().map { qwink($0, "frost \($0)") }, in: first)
      first.close()
      try change(path, damage)

      let told = Told()
      let cache = try TimelineCache(directory: path, ledger: ledger)
      cache.onDamage { told.sentences.append($0) }
      _ = await ids("frost", in: cache)
      // A page is saved even if the index is corrupt.
      await keep([qwink(101, "frost"), qwink(100, "hail")], in: cache)
      cache.remove("1")
      await ledger.settle()
      #expect(cache.load(.public, limit: 1).rows.first?.qwink?.id == "101")
      cache.close()
      let remark = try await restart(path)
      #expect(!told.sentences.isEmpty || remark != nil, "nothing was told")
      let again = try TimelineCache(directory: path, ledger: ledger)
      await keep([qwink(102, "frost"), qwink(101, "frost")], in: again)
      #expect(await ids("frost", in: again, limit: 3).prefix(2) == ["102", "101"])
      again.close()
    }
  }

  @Test(arguments: [
    "DELETE FROM word_index_data WHERE id > 10", "UPDATE word_index_data SET block = zeroblob(3) WHERE id > 10",
    "DROP TABLE words", "DROP TABLE word_index_config", "DELETE FROM word_index_docsize",
  ]) func `a file check finds a corrupt index`(damage: String) async throws {
    try await inFolder { path in
      let cache = try TimelineCache(directory: path, ledger: ledger)
      await keep((1...100).reversed().map { qwink($0, "frost \($0)") }, in: cache)
      cache.close()
      let well = FileCheck(database: path + "/cache.sqlite")
      #expect(well.problem == nil && well.version == 8)
      try change(path, damage)
      #expect(FileCheck(database: path + "/cache.sqlite").problem?.contains("index") == true)
    }
  }

  /// Opens the cache again and closes it. Returns its remark about corruption, if any.
  private func restart(_ path: String) async throws -> String? {
    let cache = try TimelineCache(directory: path, ledger: ledger)
    defer { cache.close() }
    return cache.remark
  }

  @Test func `an unreadable index does not prevent pages from being saved`() async throws {
    try await inFolder { path in
      let first = try TimelineCache(directory: path, ledger: ledger)
      await keep([qwink(1, "frost")], in: first)
      first.close()
      // The table can neither be used nor dropped.
      try change(path, "DROP TABLE word_index_config")
      let cache = try TimelineCache(directory: path, ledger: ledger)
      await keep([qwink(2, "frost"), qwink(1, "frost")], in: cache)
      #expect(cache.load(.public, limit: 9).rows.count == 2)
      #expect(await ids("frost", in: cache) == [])
      cache.close()
      #expect(try await restart(path) != nil)
      #expect(try await restart(path) == nil)
    }
  }

  // MARK: Cost

  @Test func `the index less than doubles the save time and adds under 40 percent to the file`() async throws {
    try await inFolder { path in
      let pages = (0..<20).map { page in
        Page(items: (0..<40).reversed().map { real(page * 40 + $0) })
      }
      /// Saves all pages. Returns the time in seconds and the cache.
      @MainActor func save(to folder: String, hasTriggers: Bool) throws -> (time: Double, cache: TimelineCache) {
        let cache = try TimelineCache(directory: folder, ledger: ledger)
        cache.index.hold()
        if !hasTriggers {
          try change(folder, "DROP TRIGGER qwink_added; DROP TRIGGER qwink_changed; DROP TRIGGER qwink_removed")
        }
        let begin = ContinuousClock.now
        for page in pages {
          cache.merge(page, at: .newest, in: .public)
          cache.flush()
        }
        return ((ContinuousClock.now - begin) / .seconds(1), cache)
      }
      var (with, without) = (Double.infinity, Double.infinity)
      for round in 0..<3 {
        let plain = try save(to: path + "/plain\(round)", hasTriggers: false)
        without = min(without, plain.time)
        plain.cache.close()
        let indexed = try save(to: path + "/indexed\(round)", hasTriggers: true)
        with = min(with, indexed.time)
        let size = indexed.cache.contentSize
        let begin = ContinuousClock.now
        indexed.cache.index.release()
        await ledger.settle()
        let time = (ContinuousClock.now - begin) / .milliseconds(20)
        let factor = Double(indexed.cache.contentSize) / Double(size)
        #expect(factor < 1.4, "\(size) bytes without the index")
        indexed.cache.close()
        if round == 0 { print("index: file × \(factor), \(time) ms a page of 40 in the background") }
      }
      print("page of 40: \(with * 50) ms, without index \(without * 50) ms")
      #expect(with < without * 2)
    }
  }

  /// A qwink of realistic size, 2 to 3 KB.
  private func real(_ number: Int) -> Qwink {
    var random = SplitMix(seed: UInt64(number))
    let words = (0..<Int.random(in: 10...50, using: &random)).map { _ in
      // Half of each text consists of a few words that all texts share.
      String(Int(pow(10, Double.random(in: 0...4.3, using: &random))) * 7919, radix: 36)
    }
    var author = Qwinker.sample("user\(number % 50)", displayName: "User Number \(number % 50)")
    author.note = RichText(plain: String(repeating: "Gardener, reader, walker. ", count: 10))
    author.url = "https://tilde.example/@user\(number % 50)"
    author.fields.append(.init(name: "Garden", value: RichText(plain: "Allotment 17, by the canal, since 1998")))
    author.avatarURL = "https://files.tilde.example/avatars/original/\(number % 50)/0123456789abcdef.png"
    author.fields.append(.init(name: "Site", value: RichText(plain: "https://user\(number % 50).example")))
    return qwink(number, words.joined(separator: " "), author: author)
  }

  // MARK: Helpers

  nonisolated private func change(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path + "/cache.sqlite")
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: sql)
    }
    try queue.close()
  }

  /// Expects that the index is consistent and contains exactly the cached qwinks.
  private func checkIndex(in path: String, count: Int) async throws {
    let queue = try DatabaseQueue(path: path + "/cache.sqlite")
    try await queue.writeWithoutTransaction { database in
      try SearchSchema.check(database)
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM words") == count)
      #expect(try !SearchIndexing(database: database).hasMore())
    }
    try queue.close()
  }

  @MainActor private final class Told {
    var sentences: [String] = []
  }
}
