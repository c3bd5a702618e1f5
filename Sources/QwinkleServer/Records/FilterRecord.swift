import QwinkleModel

/// A filter with its words and qwinks.
struct FilterRecord {
  /// Where a filter applies.
  enum Context: String, CaseIterable, Codable {
    case home, notifications, `public`, thread, account
  }

  struct Keyword {
    var id: Int64 = 0
    var text: String
    /// Whether it matches only as a whole word.
    var isWhole: Bool
  }

  struct Status {
    var id: Int64
    var status: Int64
  }

  var id: Int64 = 0
  var title: String
  var contexts: Set<Context>
  /// Whether it hides what matches, rather than warn of it.
  var hides = false
  /// In milliseconds since 1970; nil for ever.
  var expiresAt: Int64?
  var keywords: [Keyword] = []
  var statuses: [Status] = []

  /// Adds a keyword unless the filter has it already. Returns its index.
  mutating func add(_ keyword: Keyword) -> Int {
    if let known = keywords.firstIndex(where: { $0.text == keyword.text && $0.isWhole == keyword.isWhole }) {
      return known
    }
    keywords.append(keyword)
    return keywords.count - 1
  }

  /// Maximum number of keywords that a match names: each post of a page repeats them.
  private static let mostNamed = 3

  /// What matches in a qwink with this id and text, which is folded; nil if nothing does.
  func match(_ status: Int64, _ text: [UInt8]) -> FilterMatch? {
    var found: [String] = []
    for keyword in keywords where found.count < Self.mostNamed && !found.contains(keyword.text) {
      if keyword.occurs(in: text) { found.append(keyword.text) }
    }
    let isListed = statuses.contains { $0.status == status }
    guard !found.isEmpty || isListed else { return nil }
    return FilterMatch(
      id: String(id), title: title, hides: hides, contexts: contexts.inOrder.map(\.rawValue),
      expiresAt: expiresAt.map { .init(milliseconds: $0) }, keywords: found, statuses: isListed ? [String(status)] : [])
  }

  /// A text as it is compared: case doesn't count.
  static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }
}

extension Set where Element: CaseIterable {
  /// The elements in the order of their declarations.
  var inOrder: [Element] { Element.allCases.filter { contains($0) } }
}

extension FilterRecord.Keyword {
  /// Whether it occurs in a folded text.
  fileprivate func occurs(in text: [UInt8]) -> Bool {
    let word = FilterRecord.folded(self.text)
    guard let first = word.first, let last = word.last, word.count <= text.count else { return false }
    for start in 0...(text.count - word.count) where text[start] == first {
      let end = start + word.count
      guard text[start..<end].elementsEqual(word) else { continue }
      guard isWhole else { return true }
      let isOpen = start > 0 && Self.isInWord(first) && Self.isInWord(text[start - 1])
      let isUnended = end < text.count && Self.isInWord(last) && Self.isInWord(text[end])
      if !isOpen && !isUnended { return true }
    }
    return false
  }

  /// Whether a byte of UTF-8 may belong to a word: a letter, a digit, or a part of any character beyond ASCII.
  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: false
    }
  }
}
