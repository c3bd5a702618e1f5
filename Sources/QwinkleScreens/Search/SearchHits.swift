import QwinkleModel

/// What a search found, as rows of one list: people, tags, qwinks.
struct SearchHits {
  /// One thing that was found.
  enum Hit: Hashable {
    case qwinker(Qwinker)
    case tag(Tag)
    case qwink(Qwink)

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
  /// The headings, by the index of the first hit below each.
  private(set) var headings: [Int: String]

  /// The hits of `results`; with headings where there is more than one of them.
  init(_ results: SearchResults = SearchResults()) {
    let parts: [(String, [Hit])] = [
      ("Qwinkers", results.qwinkers.map { .qwinker($0) }), ("Tags", results.tags.map { .tag($0) }),
      ("Qwinks", results.qwinks.filter { !$0.isFilteredOut }.map { .qwink($0) }),
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

  /// Shows the newer state of a qwink, which may have been another `id` before. Returns the indices of hits that may
  /// look different now.
  mutating func replace(_ qwink: Qwink, insteadOf id: Qwink.ID? = nil) -> [Int] {
    let indices = hits.indices.filter { index in
      if case .qwink(let old) = hits[index] { old.originalID == id ?? qwink.originalID } else { false }
    }
    for index in indices { hits[index] = .qwink(qwink) }
    return indices
  }

  /// Takes out a qwink that is gone. Returns where it was; nil where it was not found.
  mutating func remove(_ id: Qwink.ID) -> Int? {
    let index = hits.firstIndex { hit in
      if case .qwink(let qwink) = hit { qwink.originalID == id } else { false }
    }
    guard let index else { return nil }
    hits.remove(at: index)
    if headings[index] != nil, index == hits.count { headings[index] = nil }
    return index
  }

  /// Whether `words` name one thing: an address, or a handle with its server. Then the screen that shows it is what is
  /// wanted.
  static func namesOneThing(_ words: String) -> Bool {
    if WebAddress(words) != nil { return true }
    guard let parts = Handle.reading(words)?.split(separator: "@"), parts.count == 2 else { return false }
    return words.first == "@" || parts[1].contains(".")
  }
}
