import Foundation
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

/// Mutates recorded server responses one value at a time: removes the value, or replaces it with null or another type.
@Suite struct MutationTests {
  @Test(arguments: [Soak.seed])
  func `a missing, null or mistyped value costs at most one item`(seed: UInt64) throws {
    var picker = SplitMix(seed: seed)
    var mutations = 0
    var answers = 0
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() {
        guard let kind, kind != .unasked, kind != .done else { continue }
        guard let tree = Self.shortened(try JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed))
        else { continue }
        answers += 1
        let usual = try Self.count(Self.bytes(tree), as: kind)
        let places = Self.places(in: tree)
        // A response of another type is rejected or yields at most one item.
        for value in Damage.allCases.compactMap(\.value) {
          let left = (try? Self.count(Self.bytes(value), as: kind)) ?? 0
          #expect(left <= 1, "\(corpus.server) \(answer.file) \(value)")
        }
        // A soak run applies every mutation, a normal run about one in 160.
        for place in places {
          for damage in Damage.allCases where Soak.isOn || picker.next() % 160 == 0 {
            guard let damaged = Self.damaged(tree, at: place[...], by: damage) else { continue }
            mutations += 1
            let words = "\(corpus.server) \(answer.file) \(place) \(damage)"
            do {
              let left = try Self.count(Self.bytes(damaged), as: kind)
              // A top-level member of an object may be a whole list of items.
              if let usual, let left, place.count > 1 || tree is [Any] || kind == .markers {
                #expect(left >= usual - 1, "\(words): \(left) of \(usual)")
              }
            } catch {
              // A single entity is one item, so it may be lost. An object without its list has another type.
              let isWhole = place.count == 1 && !(tree is [Any])
              #expect(usual == nil || usual == 1 || isWhole, "\(words): \(error)")
            }
          }
        }
      }
    }
    print("mutations: \(mutations) of \(answers) answers")
    #expect(mutations > (Corpus.isWhole ? 500 : 50))
  }

  private enum Damage: CaseIterable {
    case missing, null, text, number, flag, list, object

    /// The replacement, or nil to remove the value.
    var value: Any? {
      switch self {
      case .missing: nil
      case .null: NSNull()
      case .text: "\u{1B}[2J wrong"
      case .number: -17.5
      case .flag: true
      case .list: [["wrong"]]
      case .object: ["wrong": ["more": "wrong"]]
      }
    }
  }

  /// One step of the path to a value.
  private enum Step: CustomStringConvertible {
    case key(String)
    case index(Int)

    var description: String {
      switch self {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
  }

  /// Returns the tree with at most three items in each list. Three are enough to check that the other items survive.
  private static func shortened(_ value: Any) -> Any? {
    switch value {
    case let list as [Any]: list.prefix(3).compactMap(shortened)
    case let object as [String: Any]: object.compactMapValues(shortened)
    default: value
    }
  }

  private static func places(in value: Any) -> [[Step]] {
    switch value {
    case let list as [Any]:
      list.enumerated().flatMap { index, item in
        [[.index(index)]] + places(in: item).map { [.index(index)] + $0 }
      }
    case let object as [String: Any]:
      object.sorted { $0.key < $1.key }.flatMap { key, item in
        [[.key(key)]] + places(in: item).map { [.key(key)] + $0 }
      }
    default: []
    }
  }

  /// Returns the tree with the value at `place` mutated, or nil if the path doesn't exist.
  private static func damaged(_ value: Any, at place: ArraySlice<Step>, by damage: Damage) -> Any? {
    switch (place.first, value) {
    case (.index(let index), var list as [Any]):
      guard place.count == 1 else {
        guard let inner = damaged(list[index], at: place.dropFirst(), by: damage) else { return nil }
        list[index] = inner
        return list
      }
      list.replaceSubrange(index...index, with: damage.value.map { [$0] } ?? [])
      return list
    case (.key(let key), var object as [String: Any]):
      guard place.count == 1 else {
        guard let inner = object[key].flatMap({ damaged($0, at: place.dropFirst(), by: damage) }) else { return nil }
        object[key] = inner
        return object
      }
      object[key] = damage.value
      return object
    default: return nil
    }
  }

  private static func bytes(_ value: Any) throws -> [UInt8] {
    Array(try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed))
  }

  /// Returns the number of decoded items, or nil if the response is a single entity.
  private static func count(_ body: [UInt8], as kind: Corpus.Kind) throws -> Int? {
    switch kind {
    case .timeline: return try WireDecoder.qwinks(from: body, link: nil).items.count
    case .accounts: return try WireDecoder.qwinkers(from: body, link: nil).items.count
    case .conversations: return try WireDecoder.conversations(from: body, link: nil).items.count
    case .notifications: return try WireDecoder.notifications(from: body, link: nil).items.count
    case .versions: return try WireDecoder.versions(from: body).count
    case .relationships: return try WireDecoder.relationships(from: body).count
    case .lists: return try WireDecoder.lists(from: body).count
    case .filters: return try WireDecoder.filters(from: body).count
    case .keywords: return try WireDecoder.filterKeywords(from: body).count
    case .tags: return try WireDecoder.tags(from: body, link: nil).items.count
    case .cards: return try WireDecoder.cards(from: body).count
    case .emoji: return try WireDecoder.emoji(from: body).count
    case .markers: return try WireDecoder.readPositions(from: body).count
    case .collections: return try WireDecoder.collections(from: body, link: nil).items.count
    case .collection: return try WireDecoder.collectionMembers(from: body, link: nil).items.count
    case .translation: _ = try WireDecoder.translation(from: body)
    case .asyncRefresh: _ = try WireDecoder.asyncRefresh(from: body)
    case .context:
      let thread = try WireDecoder.thread(from: body)
      return thread.ancestors.count + thread.descendants.count
    case .search:
      let results = try WireDecoder.searchResults(from: body)
      return results.qwinkers.count + results.qwinks.count + results.tags.count
    case .status: _ = try WireDecoder.qwink(from: body)
    case .account: _ = try WireDecoder.qwinker(from: body)
    case .ownAccount:
      _ = try WireDecoder.ownProfile(from: body)
      _ = try WireDecoder.qwinker(from: body)
    case .instance: _ = try WireDecoder.serverInfo(from: body)
    case .conversation: _ = try WireDecoder.conversation(from: body)
    case .notification: _ = try WireDecoder.notification(from: body)
    case .source: _ = try WireDecoder.source(from: body)
    case .relationship: _ = try WireDecoder.relationship(from: body)
    case .list: _ = try WireDecoder.list(from: body)
    case .filter: _ = try WireDecoder.filter(from: body)
    case .requests: return try WireDecoder.notificationRequests(from: body, link: nil).items.count
    case .policy: _ = try WireDecoder.notificationPolicy(from: body)
    case .request: _ = try WireDecoder.notificationRequest(from: body)
    case .scheduled: _ = try WireDecoder.scheduledPost(from: body)
    case .tag: _ = try WireDecoder.tag(from: body)
    case .attachment: _ = try WireDecoder.attachment(from: body)
    case .poll: _ = try WireDecoder.poll(from: body)
    case .done, .unasked: break
    }
    return nil
  }
}
