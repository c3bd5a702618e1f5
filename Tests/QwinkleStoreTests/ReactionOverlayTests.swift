import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Testing
import Timekeeping

/// The user's reactions in the cache, next to the server's JSON.
@Suite struct ReactionOverlayTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  /// The server's JSON of a post, with a member that Qwinkle doesn't know.
  private static func json(_ id: String, favourites: Int = 2) -> [UInt8] {
    let qwink = Qwink.sample(id: Qwink.ID(id))
    return JSONParts.object(
      WireEncoder.qwink(qwink),
      setting: [("x_mood", Array(#"{"happy":[1,2]}"#.utf8)), ("favourites_count", Array("\(favourites)".utf8))])
  }

  /// The server's JSON of a boost of that post by `booster`.
  private static func boost(_ id: String, of original: [UInt8]) throws -> [UInt8] {
    var boost = try WireDecoder.qwink(from: original)
    boost.id = Qwink.ID(id)
    boost.booster = Qwinker(id: "9", userName: "zoe")
    boost.boostedAt = boost.createdAt
    return JSONParts.object(WireEncoder.qwink(boost), setting: [("reblog", original)])
  }

  private static func page(_ sources: [UInt8]...) throws -> Page<Qwink> {
    Page(items: try sources.map { try WireDecoder.qwink(from: $0) }, sources: sources)
  }

  private func open() throws -> TimelineCache { try TimelineCache(directory: directory, ledger: ActivityLedger()) }

  private func stored() throws -> [[UInt8]] {
    let queue = try DatabaseQueue(path: directory + "/cache.sqlite")
    return try queue.read { try Data.fetchAll($0, sql: "SELECT source FROM qwink ORDER BY key") }.map { [UInt8]($0) }
  }

  private static func reacted(_ source: [UInt8]) throws -> Qwink {
    try WireDecoder.qwink(from: source).setting(.favourite, to: true).setting(.boost, to: true)
  }

  @Test func `a reaction leaves the server's JSON of a post and its boosts as received`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = Self.json("1")
    let boost = try Self.boost("7", of: post)
    let cache = try open()
    cache.merge(try Self.page(boost, post), at: .newest, in: .home)
    cache.saveReactions(of: try Self.reacted(post))
    cache.close()
    #expect(try stored() == [post, boost])
    let rows = try open().load(.home, limit: 9).rows.compactMap(\.qwink)
    #expect(rows.map(\.id.rawValue) == ["7", "1"])
    for row in rows { #expect(row.isFavourite && row.isBoosted && row.favouritesCount == 3) }
  }

  @Test func `a page that was requested before a reaction doesn't undo it`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = Self.json("1")
    let cache = try open()
    cache.merge(try Self.page(post), at: .newest, in: .home)
    cache.saveReactions(of: try Self.reacted(post))
    let later = Self.json("1", favourites: 5)
    var page = try Self.page(later)
    page.items[0] = page.items[0].setting(.favourite, to: true)
    page.changed = [0]
    cache.merge(page, at: .newest, in: .home)
    cache.close()
    #expect(try stored() == [later])
    let row = try open().load(.home, limit: 9).rows.first?.qwink
    #expect(row?.isFavourite == true && row?.favouritesCount == 6)
  }

  @Test func `a page that was requested after a reaction replaces it`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = Self.json("1")
    let cache = try open()
    cache.merge(try Self.page(post), at: .newest, in: .home)
    cache.saveReactions(of: try Self.reacted(post))
    cache.merge(try Self.page(post), at: .newest, in: .public)
    cache.close()
    for name in [TimelineName.home, .public] {
      let row = try open().load(name, limit: 9).rows.first?.qwink
      #expect(row?.isFavourite == false && row?.favouritesCount == 2)
    }
  }

  @Test func `a newer state from the server replaces the user's reactions`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = Self.json("1")
    let boost = try Self.boost("7", of: post)
    let cache = try open()
    cache.merge(try Self.page(boost, post), at: .newest, in: .home)
    cache.saveReactions(of: try Self.reacted(post))
    cache.update(try WireDecoder.qwink(from: Self.json("1", favourites: 40)))
    cache.close()
    for row in try open().load(.home, limit: 9).rows.compactMap(\.qwink) {
      #expect(!row.isFavourite && row.favouritesCount == 40)
    }
  }

  @Test func `a change other than of the text leaves unknown members of a post and its boosts`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = Self.json("1")
    let boost = try Self.boost("7", of: post)
    let cache = try open()
    cache.merge(try Self.page(boost, post), at: .newest, in: .home)
    var pinned = try WireDecoder.qwink(from: post)
    pinned.isPinned = true
    cache.update(pinned)
    cache.close()
    let sources = try stored()
    #expect(JSONParts.member("x_mood", of: sources[0]) == Array(#"{"happy":[1,2]}"#.utf8))
    let inner = try #require(JSONParts.member("reblog", of: sources[1]))
    #expect(JSONParts.member("x_mood", of: inner) == Array(#"{"happy":[1,2]}"#.utf8))
    for source in sources { #expect(try WireDecoder.qwink(from: source).isPinned) }
  }

  @Test func `an edit of the text leaves nothing of the former text`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = JSONParts.object(Self.json("1"), setting: [("x_text", Array(#""a secret""#.utf8))])
    let cache = try open()
    cache.merge(try Self.page(try Self.boost("7", of: post), post), at: .newest, in: .home)
    var edit = try WireDecoder.qwink(from: post)
    edit.text = RichText(plain: "the sea is calm")
    edit.editedAt = edit.createdAt.addingTimeInterval(60)
    cache.update(edit)
    cache.replace("1", by: edit)
    cache.close()
    for source in try stored() {
      #expect(try WireDecoder.qwink(from: source).text.plainText == "the sea is calm")
      #expect(!String(decoding: source, as: UTF8.self).contains("secret"))
    }
  }

  @Test func `a cache of the version without reactions retains its rows`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let post = Self.json("1")
    let cache = try open()
    cache.merge(try Self.page(post), at: .newest, in: .home)
    cache.close()
    let queue = try DatabaseQueue(path: directory + "/cache.sqlite")
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          ALTER TABLE qwink DROP COLUMN overlay;
          DROP TABLE row_count; DROP TRIGGER row_added; DROP TRIGGER row_removed; DROP TRIGGER row_moved;
          PRAGMA user_version = 6;
          """)
    }
    try queue.close()
    let reopened = try open()
    #expect(reopened.remark == nil)
    reopened.saveReactions(of: try Self.reacted(post))
    reopened.flush()
    #expect(reopened.load(.home, limit: 9).rows.first?.qwink?.isBoosted == true)
    reopened.close()
    #expect(try stored() == [post])
  }
}
