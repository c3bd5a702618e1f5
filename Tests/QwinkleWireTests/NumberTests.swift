import FoundationEssentials
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleWire

/// Extreme numbers from a server are clamped to a safe range.
@Suite struct NumberTests {
  /// Boundary values, as JSON.
  static let ends = [
    "0", "-1", "-0", "2147483648", "-2147483649", "9007199254740992", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e308", "-1e308", "1e400", "-0.5", "0.5",
    "4611686018427387904", #""12""#, #""9223372036854775808""#, #""-9223372036854775809""#, #""1e308""#, #""""#, "null",
    "true", "[]", "{}", #""292277026596-12-04T15:30:07Z""#,
  ]

  private static let range = 0...1_000_000_000_000

  /// Returns `body` with `end` in place of each number, and of each string that some servers send as a number.
  private static func filled(_ body: [UInt8], with end: String) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
      .replacing(/"own_votes":\[[^\]]*\]/) { _ in #""own_votes":[\#(end),\#(end)]"# }
      .replacing(/":-?\d+(?=[,}\]])/) { _ in "\":\(end)" }
      .replacing(/"(uses|day|version|updated_at|expires_at|edited_at)":"[^"]*"/) { "\"\($0.output.1)\":\(end)" }
    return Array(text.utf8)
  }

  private static func filledIdentifiers(_ body: [UInt8], with end: String) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
      .replacing(/"(id|in_reply_to_id|in_reply_to_account_id|last_read_id)":"[^"]*"/) { "\"\($0.output.1)\":\(end)" }
      .replacing(/"created_at":"[^"]*"/) { _ in "\"created_at\":\(end)" }
    return Array(text.utf8)
  }

  @Test(arguments: ends, [Soak.seed])
  func `extreme counts are clamped and no item is lost`(end: String, seed: UInt64) throws {
    var sample = Sample(seed: seed)
    var qwinks = (0..<6).map { _ in sample.qwink() }
    for index in qwinks.indices { qwinks[index].poll = sample.poll() }
    let page = try WireDecoder.qwinks(from: Self.filled(WireEncoder.qwinks(qwinks), with: end), link: nil)
    #expect(page.items.count == qwinks.count)
    for qwink in page.items { Self.expectCountable(qwink) }
    let qwinker = try WireDecoder.qwinker(from: Self.filled(WireEncoder.qwinker(sample.qwinker()), with: end))
    #expect([qwinker.followersCount, qwinker.followingCount, qwinker.qwinksCount].allSatisfy(Self.range.contains))
    let tags = SearchResults(qwinkers: [], qwinks: [], tags: [Tag(name: "a", usesCount: 3)])
    let found = try WireDecoder.searchResults(from: Self.filled(WireEncoder.searchResults(tags), with: end))
    #expect(found.tags.allSatisfy { Self.range.contains($0.usesCount ?? 0) })
    let markers = ReadPosition.Place.allCases.map { sample.readPosition($0) }
    for position in try WireDecoder.readPositions(from: Self.filled(WireEncoder.readPositions(markers), with: end)) {
      #expect((-Self.range.upperBound...Self.range.upperBound).contains(position.version))
    }
  }

  @Test(arguments: ends)
  func `extreme limits are clamped to usable values`(end: String) throws {
    let info = ServerInfo(title: "X", domain: "x.example")
    for body in [WireEncoder.serverInfoV1(info), WireEncoder.serverInfoV2(info)] {
      let limits = try WireDecoder.serverInfo(from: Self.filled(body, with: end)).limits
      let text = String(repeating: "https://example.org/a ", count: 1000)
      #expect(CharacterCount.count(text, limits: limits) > 0)
      #expect(limits.characters > 0 && limits.charactersPerLink > 0)
      #expect((0...1000).contains(limits.attachments))
      let rules = EntryRules(.new, me: nil)
      let entry = Entry(text: text, visibility: .public, idempotencyKey: "k")
      _ = rules.problem(with: entry, limits: limits)
      #expect(rules.remaining(of: entry, limits: limits) ?? .min < limits.characters)
    }
    let old = Array(#"{"uri":"x.example","max_toot_chars":\#(end)}"#.utf8)
    #expect(try WireDecoder.serverInfo(from: old).limits.characters > 0)
  }

  @Test(arguments: ends, [Soak.seed])
  func `invalid identifiers and dates never crash the decoder`(end: String, seed: UInt64) throws {
    var sample = Sample(seed: seed)
    let bodies = [
      WireEncoder.qwinks((0..<3).map { _ in sample.qwink() }),
      WireEncoder.notifications((0..<3).map { _ in sample.notification() }),
      WireEncoder.conversations((0..<3).map { _ in sample.conversation() }),
      WireEncoder.versions((0..<3).map { _ in sample.version() }, by: sample.qwinker()),
      WireEncoder.relationships((0..<3).map { _ in sample.relationship() }),
      WireEncoder.searchResults(sample.searchResults()),
      WireEncoder.thread(QwinkThread(ancestors: [sample.qwink()], descendants: [sample.qwink()])),
      WireEncoder.source(QwinkSource(id: "1", text: "x", contentWarning: "")),
      WireEncoder.readPositions(ReadPosition.Place.allCases.map { sample.readPosition($0) }),
    ]
    for body in bodies {
      let filled = Self.filledIdentifiers(Self.filled(body, with: end), with: end)
      for qwink in (try? WireDecoder.qwinks(from: filled, link: nil))?.items ?? [] { Self.expectCountable(qwink) }
      for notification in (try? WireDecoder.notifications(from: filled, link: nil))?.items ?? [] {
        #expect(WireDecoder.isPlain(notification.createdAt))
      }
      for qwink in (try? WireDecoder.thread(from: filled))?.descendants ?? [] { Self.expectCountable(qwink) }
      _ = try? WireDecoder.conversations(from: filled, link: nil)
      _ = try? WireDecoder.versions(from: filled)
      _ = try? WireDecoder.relationships(from: filled)
      _ = try? WireDecoder.searchResults(from: filled)
      _ = try? WireDecoder.source(from: filled)
      _ = try? WireDecoder.readPositions(from: filled)
    }
  }

  @Test func `counts may be strings or fractions`() throws {
    func favourites(_ json: String) throws -> Int {
      let account = #""account":{"id":"1","acct":"a"}"#
      return try WireDecoder.qwink(from: Array(#"{"id":"1",\#(account),"favourites_count":\#(json)}"#.utf8))
        .favouritesCount
    }
    #expect(try favourites(#""12""#) == 12)
    #expect(try favourites("12.9") == 12)
    #expect(try favourites("-0.5") == 0)
    #expect(try favourites("9223372036854775807") == 1_000_000_000_000)
    #expect(try favourites("9223372036854775808") == 1_000_000_000_000)
    #expect(try favourites(#""99999999999999999999999""#) == 1_000_000_000_000)
    #expect(try favourites("-9223372036854775809") == 0)
    #expect(try favourites(#""twelve""#) == 0)
  }

  /// Expects that counts are in range and that reacting and encoding don't overflow.
  private static func expectCountable(_ qwink: Qwink) {
    for count in [qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount, qwink.poll?.votesCount ?? 0] {
      #expect(range.contains(count))
    }
    for reaction in Reaction.allCases {
      for isOn in [true, false] { _ = qwink.setting(reaction, to: isOn).setting(reaction, to: !isOn) }
    }
    let votes = qwink.poll?.options.compactMap(\.votesCount) ?? []
    #expect(votes.allSatisfy(range.contains))
    // An overflow would trap.
    _ = votes.reduce(0, +)
    #expect((qwink.poll?.ownVotes ?? []).allSatisfy { qwink.poll?.options.indices.contains($0) == true })
    #expect(WireDecoder.isPlain(qwink.createdAt) && (try? WireDecoder.qwink(from: WireEncoder.qwink(qwink))) != nil)
  }
}

extension WireDecoder {
  /// Whether a date is in the years 0 to 9999.
  fileprivate static func isPlain(_ date: Date) -> Bool {
    (-62_167_219_200...253_402_300_800).contains(date.timeIntervalSince1970)
  }
}
