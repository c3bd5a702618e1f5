import QwinkleModel
import QwinkleService
import QwinkleWire

/// An item with its JSON as the server sent it. The JSON is empty if unavailable.
typealias SentItem<Item> = (item: Item, source: [UInt8])

/// Builds output from JSON as the server sent it. Encoding the decoded items instead would drop unknown members and add
/// members that the server didn't send.
enum SentJSON {
  /// Returns a JSON array of the items. An item without JSON is encoded by `encode`, which takes an array of items and
  /// returns a JSON array.
  static func array<Item>(_ entries: [SentItem<Item>], encoding encode: ([Item]) -> [UInt8]) -> [UInt8] {
    let items = entries.map { entry in
      entry.source.isEmpty ? Array(encode([entry.item]).dropFirst().dropLast()) : entry.source
    }
    return Array("[".utf8) + items.joined(separator: ",".utf8) + Array("]".utf8)
  }

  /// Returns one item. If the item's JSON is unavailable, `encode` encodes the item.
  static func object<Item>(_ entry: SentItem<Item>, encoding encode: (Item) -> [UInt8]) -> [UInt8] {
    entry.source.isEmpty ? encode(entry.item) : entry.source
  }

  /// Returns the status in the body of a response. For a boost, returns the boosted status.
  static func original(of body: [UInt8]) -> [UInt8] {
    let status = JSONParts.readable(body)
    return JSONParts.member("reblog", of: status) ?? status
  }

  /// Pairs items with their JSON, which is in the same order. If the counts differ, the JSON is ignored.
  static func entries<Item>(_ items: [Item], _ sources: [[UInt8]]) -> [SentItem<Item>] {
    guard sources.count == items.count else { return items.map { ($0, []) } }
    return Array(zip(items, sources)).map { ($0, $1) }
  }
}

extension Page {
  var entries: [SentItem<Item>] { SentJSON.entries(items, sources) }
}

extension Sourced<[ContentFilter]> {
  var entries: [SentItem<ContentFilter>] {
    SentJSON.entries(answer, (try? WireDecoder.filterSources(from: json)) ?? [])
  }
}

extension Sourced<QwinkThread> {
  /// The qwinks with their JSON. Decodes the response a second time, so use it only for `--json`.
  func bothEntries() -> (ancestors: [SentItem<Qwink>], descendants: [SentItem<Qwink>]) {
    let sources = (try? WireDecoder.threadSources(from: json)) ?? (ancestors: [], descendants: [])
    return (
      SentJSON.entries(answer.ancestors, sources.ancestors), SentJSON.entries(answer.descendants, sources.descendants)
    )
  }
}

extension Sourced<OwnAccount> {
  /// The account's JSON without its secret, because the output may end up in a log or a bug report. The secret is
  /// `pleroma.chat_token`, a signed token from Pleroma and Akkoma that opens the user's socket for chat messages. It is
  /// set to null.
  var jsonWithoutSecrets: [UInt8] {
    let (group, secret) = ("pleroma", "chat_token")
    let account = JSONParts.readable(json)
    guard let members = JSONParts.member(group, of: account), JSONParts.member(secret, of: members) != nil else {
      return account
    }
    let safe = JSONParts.object(members, setting: [(secret, Array("null".utf8))])
    return JSONParts.object(account, setting: [(group, safe)])
  }
}
