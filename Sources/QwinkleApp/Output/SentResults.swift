import QwinkleModel
import QwinkleService
import QwinkleWire

/// Search results with their JSON.
struct SentResults {
  var qwinkers: [SentItem<Qwinker>] = []
  var qwinks: [SentItem<Qwink>] = []
  var tags: [SentItem<Tag>] = []
  /// The JSON of the first response. Empty if the results aren't from a server, or if the caller doesn't need JSON.
  private var answer: [UInt8] = []

  /// Creates results from a server's response. If `hasJSON` is true, the response is decoded a second time to get the
  /// items' JSON.
  init(_ results: Sourced<SearchResults>, hasJSON: Bool) {
    let sources = try? (hasJSON ? WireDecoder.searchSources(from: results.json) : nil)
    qwinkers = SentJSON.entries(results.answer.qwinkers, sources?.qwinkers ?? [])
    qwinks = SentJSON.entries(results.answer.qwinks, sources?.qwinks ?? [])
    tags = SentJSON.entries(results.answer.tags, sources?.tags ?? [])
    if hasJSON { answer = JSONParts.readable(results.json) }
  }

  /// Creates results without JSON, such as those cached on this machine.
  init(_ results: SearchResults) {
    qwinkers = SentJSON.entries(results.qwinkers, [])
    qwinks = SentJSON.entries(results.qwinks, [])
    tags = SentJSON.entries(results.tags, [])
  }

  var isEmpty: Bool { qwinkers.isEmpty && qwinks.isEmpty && tags.isEmpty }

  /// Returns the first response with the items of all responses. `base` is any URL of the server.
  func json(base: String) -> [UInt8] {
    JSONParts.object(
      answer,
      setting: [
        ("accounts", SentJSON.array(qwinkers, encoding: WireEncoder.qwinkers)),
        ("statuses", SentJSON.array(qwinks, encoding: WireEncoder.qwinks)),
        ("hashtags", SentJSON.array(tags) { WireEncoder.tags($0, base: base) }),
      ])
  }

  func count(of kind: SearchKind) -> Int {
    switch kind {
    case .qwinkers: qwinkers.count
    case .tags: tags.count
    case .qwinks: qwinks.count
    }
  }

  /// Adds the items of `page` that aren't included yet.
  mutating func add(_ page: SentResults, _ kind: SearchKind) {
    switch kind {
    case .qwinkers: qwinkers += page.qwinkers.filter { new in !qwinkers.contains { $0.item.id == new.item.id } }
    case .tags: tags += page.tags.filter { new in !tags.contains { $0.item.name == new.item.name } }
    case .qwinks: qwinks += page.qwinks.filter { new in !qwinks.contains { $0.item.id == new.item.id } }
    }
  }

  func prefix(_ limit: Int) -> SentResults {
    var results = self
    results.qwinkers = Array(qwinkers.prefix(limit))
    results.qwinks = Array(qwinks.prefix(limit))
    results.tags = Array(tags.prefix(limit))
    return results
  }
}
