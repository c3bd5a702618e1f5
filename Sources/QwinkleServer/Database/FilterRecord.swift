import QwinkleModel

/// A filter with its keywords and the qwinks that it lists.
struct FilterRecord {
  struct Keyword {
    var id: Int64 = 0
    var text: String
    /// Whether the keyword only matches whole words.
    var isWhole: Bool
  }

  struct Status {
    var id: Int64
    var status: Int64
  }

  var id: Int64 = 0
  var title: String
  var contexts: Set<ContentFilter.Context>
  /// Whether matches are hidden instead of shown behind a warning.
  var hides = false
  /// In milliseconds since 1970. Nil if the filter doesn't expire.
  var expiresAt: Int64?
  var keywords: [Keyword] = []
  var statuses: [Status] = []

  /// Adds a keyword unless the filter already has it. Returns its index.
  mutating func add(_ keyword: Keyword) -> Int {
    if let known = keywords.firstIndex(where: { $0.text == keyword.text && $0.isWhole == keyword.isWhole }) {
      return known
    }
    keywords.append(keyword)
    return keywords.count - 1
  }

  /// Returns how the filter matches a qwink with this id and text, or nil if it doesn't match.
  func match(_ status: Int64, _ text: FilteredText) -> FilterMatch? {
    let found = text.found(keywords.lazy.map { ContentFilter.Keyword(text: $0.text, isWhole: $0.isWhole) })
    let isListed = statuses.contains { $0.status == status }
    guard !found.isEmpty || isListed else { return nil }
    return FilterMatch(
      id: String(id), title: title, hides: hides, contexts: contexts.inOrder.map(\.rawValue),
      expiresAt: expiresAt.map { .init(milliseconds: $0) }, keywords: found, statuses: isListed ? [String(status)] : [])
  }
}

extension Set where Element: CaseIterable {
  /// The elements in declaration order.
  var inOrder: [Element] { Element.allCases.filter { contains($0) } }
}
