public import QwinkleModel

/// The results of a search as rows of one list: people, tags, qwinks.
public struct SearchHits {
  /// One result.
  public enum Hit: Hashable {
    case qwinker(Qwinker)
    case tag(Tag)
    case qwink(Qwink)

    /// What tells it from other hits in the next run.
    var key: String {
      switch self {
      case .qwinker(let qwinker): "user \(qwinker.id.rawValue)"
      case .tag(let tag): "tag \(tag.name)"
      case .qwink(let qwink): "qwink \(qwink.id.rawValue)"
      }
    }

    /// The screen that shows it.
    var place: Place {
      switch self {
      case .qwinker(let qwinker): .qwinker(qwinker)
      case .tag(let tag): .timeline(.tag(tag.name))
      case .qwink(let qwink): .thread(qwink)
      }
    }
  }

  private(set) var hits: [Hit]
  /// Headings, by the index of the first hit below each.
  private(set) var headings: [Int: String]

  /// The hits of `results`, with a heading for each kind.
  init(_ results: SearchResults = SearchResults()) {
    let parts: [(String, [Hit])] = [
      (SearchWords.people, results.qwinkers.map { .qwinker($0) }), (SearchWords.tags, results.tags.map { .tag($0) }),
      (SearchWords.qwinks, results.qwinks.filter { !$0.isFilteredOut }.map { .qwink($0) }),
    ]
    var hits: [Hit] = []
    var headings: [Int: String] = [:]
    for (heading, part) in parts where !part.isEmpty {
      headings[hits.count] = heading
      hits += part
    }
    self.hits = hits
    self.headings = headings
  }

  /// The only hit there is.
  var only: Hit? { hits.count == 1 ? hits[0] : nil }

  /// Updates a qwink, which may have had another `id`. Returns the indices of its hits.
  mutating func replace(_ qwink: Qwink, insteadOf id: Qwink.ID? = nil) -> [Int] {
    let indices = hits.indices.filter { index in
      if case .qwink(let old) = hits[index] { old.originalID == id ?? qwink.originalID } else { false }
    }
    for index in indices { hits[index] = .qwink(qwink) }
    return indices
  }

  /// Removes a deleted qwink. Returns its index; nil if it isn't here.
  mutating func remove(_ id: Qwink.ID) -> Int? {
    let index = hits.firstIndex { hit in
      if case .qwink(let qwink) = hit { qwink.originalID == id } else { false }
    }
    guard let index else { return nil }
    hits.remove(at: index)
    if headings[index] != nil, index == hits.count { headings[index] = nil }
    return index
  }

  /// Whether `words` name one thing, an address or a full handle. Then its own screen is wanted.
  static func namesOneThing(_ words: String) -> Bool {
    if WebAddress(words) != nil { return true }
    guard let parts = Handle.reading(words)?.split(separator: "@"), parts.count == 2 else { return false }
    return words.first == "@" || parts[1].contains(".")
  }
}
