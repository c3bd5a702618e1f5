import QwinkleModel
import QwinkleService
import QwinkleWire

/// Results of a search with their JSON.
struct SentResults {
  var qwinkers: [SentItem<Qwinker>] = []
  var qwinks: [SentItem<Qwink>] = []
  var tags: [SentItem<Tag>] = []
  /// The JSON of the first answer; empty if no server was asked, or if the JSON isn't wanted.
  private var answer: [UInt8] = []

  /// Results from a server. `hasJSON` includes their JSON, which takes a second decoding.
  init(_ results: Sourced<SearchResults>, hasJSON: Bool) {
    let sources = try? (hasJSON ? WireDecoder.searchSources(from: results.json) : nil)
    qwinkers = SentJSON.entries(results.answer.qwinkers, sources?.qwinkers ?? [])
    qwinks = SentJSON.entries(results.answer.qwinks, sources?.qwinks ?? [])
    tags = SentJSON.entries(results.answer.tags, sources?.tags ?? [])
    if hasJSON { answer = JSONParts.readable(results.json) }
  }

  /// Results without JSON, such as those cached on this machine.
  init(_ results: SearchResults) {
    qwinkers = SentJSON.entries(results.qwinkers, [])
    qwinks = SentJSON.entries(results.qwinks, [])
    tags = SentJSON.entries(results.tags, [])
  }

  var isEmpty: Bool { qwinkers.isEmpty && qwinks.isEmpty && tags.isEmpty }

  /// The first answer with the items of all answers. `base` is any URL of the server.
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

  /// Adds items of `page` that are not here yet.
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
