import Synchronization

/// The texts of cells with more than four scalars, such as an emoji of a family. Cells contain their numbers. Texts are
/// never removed, because cells can exist anywhere, so their number is limited: after that, a cell contains only the
/// first scalar of a new text.
struct ClusterTable {
  private let limit: Int
  private var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// Enough for all emoji sequences and all syllables that a reader meets. At most 10 MB, as a cluster is short.
  private static let shared = Mutex(ClusterTable(limit: 16_384))

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns the number of a text, or nil if the table is full.
  mutating func number(of text: String) -> Int? {
    if let number = numbers[text] { return number }
    guard texts.count < limit else { return nil }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  func text(_ number: Int) -> String { texts[number] }

  static func number(of text: String) -> Int? { shared.withLock { $0.number(of: text) } }

  static func text(_ number: Int) -> String { shared.withLock { $0.text(number) } }
}
