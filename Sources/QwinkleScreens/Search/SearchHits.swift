public import QwinkleModel

/// The results of a search as rows of one list: people, hashtags, qwinks.
public struct SearchHits {
  public enum Hit: Hashable {
    case qwinker(Qwinker)
    case tag(Tag)
    case qwink(Qwink)

    /// Identifies the hit when the screen is restored.
    var key: String {
      switch self {
      case .qwinker(let qwinker): "user \(qwinker.id.rawValue)"
      case .tag(let tag): "tag \(tag.name)"
      case .qwink(let qwink): "qwink \(qwink.id.rawValue)"
      }
    }

    /// The heading above the hits of this kind.
    fileprivate var heading: String {
      switch self {
      case .qwinker: SearchWords.people
      case .tag: SearchWords.tags
      case .qwink: SearchWords.qwinks
      }
    }

    /// The screen that shows the hit.
    var place: Place {
      switch self {
      case .qwinker(let qwinker): .qwinker(qwinker)
      case .tag(let tag): .timeline(.tag(tag.name))
      case .qwink(let qwink): .thread(qwink)
      }
    }
  }

  private(set) var hits: [Hit] = []
  /// Headings, by the index of the first hit below each.
  private(set) var headings: [Int: String] = [:]

  /// All hits, including hidden ones.
  private var all: [Hit]
  /// The index in `all` of each visible hit, ascending.
  private var places: [Int]

  /// Creates the hits of `results`, with a heading for each kind.
  init(_ results: SearchResults = SearchResults()) {
    all = results.qwinkers.map { .qwinker($0) } + results.tags.map { .tag($0) }
    all += results.qwinks.map { .qwink($0) }
    places = Array(all.indices)
    arrange()
  }

  private mutating func arrange() {
    hits = places.map { all[$0] }
    headings = [:]
    for (index, hit) in hits.enumerated() where index == 0 || hits[index - 1].heading != hit.heading {
      headings[index] = hit.heading
    }
  }

  /// The hit, if there is exactly one.
  var only: Hit? { hits.count == 1 ? hits[0] : nil }

  /// Hides the qwinks for which `isLeftOut` returns true and shows all other hits. Returns the change to the visible
  /// hits.
  @discardableResult
  mutating func leaveOut(_ isLeftOut: (Qwink) -> Bool) -> ListChange {
    let before = places
    places = all.indices.filter { index in
      if case .qwink(let qwink) = all[index] { !isLeftOut(qwink) } else { true }
    }
    arrange()
    return ListChange(from: before, to: places, isChanged: { _, _ in false })
  }

  /// Replaces the old version of a qwink. `id` is the qwink's former id, if it has changed. Returns the indices of the
  /// changed hits that are visible.
  mutating func replace(_ qwink: Qwink, insteadOf id: Qwink.ID? = nil) -> [Int] {
    let former = all.indices.filter { index in
      if case .qwink(let old) = all[index] { old.originalID == id ?? qwink.originalID } else { false }
    }
    for index in former { all[index] = .qwink(qwink) }
    arrange()
    return hits.indices.filter { former.contains(places[$0]) }
  }

  /// Removes a deleted qwink. Returns the index that it had in ``hits``, or nil if it wasn't visible.
  mutating func remove(_ id: Qwink.ID) -> Int? {
    let place = all.firstIndex { hit in
      if case .qwink(let qwink) = hit { qwink.originalID == id } else { false }
    }
    guard let place else { return nil }
    let index = places.firstIndex(of: place)
    all.remove(at: place)
    places = places.filter { $0 != place }.map { $0 > place ? $0 - 1 : $0 }
    arrange()
    return index
  }

  /// Whether `words` is an address or a full handle. If such a search has a single result, the result opens at once.
  static func namesOneThing(_ words: String) -> Bool {
    if WebAddress(words) != nil { return true }
    guard let parts = Handle.reading(words)?.split(separator: "@"), parts.count == 2 else { return false }
    return words.first == "@" || parts[1].contains(".")
  }
}
