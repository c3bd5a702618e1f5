import FoundationEssentials
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleWire

@Suite struct PeopleFuzzTests {
  @Test(arguments: [Soak.seed]) func `malformed responses about accounts never crash the decoder`(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    var sample = Sample(seed: seed &+ 1)
    let bodies = [
      WireEncoder.conversations((0..<3).map { _ in sample.conversation() }),
      WireEncoder.notifications((0..<3).map { _ in sample.notification() }),
      WireEncoder.versions((0..<3).map { _ in sample.version() }, by: sample.qwinker()),
      WireEncoder.relationships((0..<3).map { _ in sample.relationship() }),
      WireEncoder.readPositions(ReadPosition.Place.allCases.map { sample.readPosition($0) }),
      WireEncoder.searchResults(sample.searchResults()),
      WireEncoder.qwinker(sample.qwinker(), ownNote: "x\ny"),
      WireEncoder.source(QwinkSource(id: "1", text: "x\n\u{1F600}", contentWarning: "y")),
    ]
    for (index, body) in bodies.enumerated() {
      var read = 0
      for _ in 0..<Soak.runs(60) {
        let damaged = FuzzTests.damaged(body, using: &generator)
        read += try Self.readAsLists(damaged) + Self.readAlone(damaged)
      }
      #expect(read > 0, "body \(index): nothing could be read")
    }
  }

  /// Checks the items that can be decoded and returns their number.
  private static func readAsLists(_ body: [UInt8]) throws -> Int {
    var count = 0
    if let page = try? WireDecoder.conversations(from: body, link: nil) {
      #expect(page.sources.count == page.items.count)
      for (source, item) in zip(page.sources, page.items) {
        #expect(try WireDecoder.conversation(from: source) == item)
        item.participants.forEach(expectSafe)
        if let qwink = item.lastQwink { FuzzTests.expectSafe(qwink) }
        count += 1
      }
    }
    if let page = try? WireDecoder.notifications(from: body, link: nil) {
      for (source, item) in zip(page.sources, page.items) {
        #expect(try WireDecoder.notification(from: source) == item)
        expectSafe(item.qwinker)
        if case .other(let word) = item.kind { expectSafe(word) }
        if let qwink = item.qwink { FuzzTests.expectSafe(qwink) }
        count += 1
      }
    }
    for version in (try? WireDecoder.versions(from: body)) ?? [] {
      FuzzTests.expectSafe(version.text, "")
      expectSafe(version.contentWarning)
      count += 1
    }
    for relationship in (try? WireDecoder.relationships(from: body)) ?? [] {
      expectSafe(relationship.id.rawValue)
      count += 1
    }
    return count
  }

  private static func readAlone(_ body: [UInt8]) -> Int {
    var count = 0
    for position in (try? WireDecoder.readPositions(from: body)) ?? [] {
      expectSafe(position.lastReadID)
      count += 1
    }
    if let results = try? WireDecoder.searchResults(from: body) {
      results.qwinkers.forEach(expectSafe)
      results.qwinks.forEach(FuzzTests.expectSafe)
      results.tags.map(\.name).forEach(expectSafe)
      count += results.qwinkers.count + results.qwinks.count + results.tags.count
    }
    // Sources aren't sanitized, except that NUL is removed.
    if let source = try? WireDecoder.source(from: body) {
      #expect(!source.text.unicodeScalars.contains("\0") && !source.contentWarning.unicodeScalars.contains("\0"))
      count += 1
    }
    if let profile = try? WireDecoder.ownProfile(from: body) {
      #expect(!profile.note.unicodeScalars.contains("\0") && !profile.displayName.unicodeScalars.contains("\0"))
      count += 1
    }
    return count
  }

  private static func expectSafe(_ qwinker: Qwinker) {
    for text in [qwinker.displayName, qwinker.handle, qwinker.id.rawValue, qwinker.url ?? ""] { expectSafe(text) }
    FuzzTests.expectSafe(qwinker.note, "")
  }

  private static func expectSafe(_ text: String) {
    #expect(text.unicodeScalars.allSatisfy(FuzzTests.isSafe))
  }
}
