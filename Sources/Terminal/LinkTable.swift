/// The links of a grid. A cell contains its link's number in the table, because a cell has no references.
public struct LinkTable: Hashable, Sendable {
  /// Numbers of links. 0 means no link.
  public static let numbers = 1...Cell.maximumLink

  private var links: [TextLink] = []
  private var known: [TextLink: Int] = [:]

  public init() {}

  /// Whether the table needs to be cleared before it is full.
  var isCrowded: Bool { links.count > Self.numbers.count / 2 }

  public subscript(number: Int) -> TextLink? {
    links.indices.contains(number - 1) ? links[number - 1] : nil
  }

  /// Returns the number of a link, or 0 if the table is full.
  mutating func number(of link: TextLink) -> Int {
    if let number = known[link] { return number }
    guard links.count < Self.numbers.upperBound else { return 0 }
    links.append(link)
    known[link] = links.count
    return links.count
  }
}
