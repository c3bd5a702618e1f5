/// An error in the text of a layout.
public struct PaneTreeProblem: Error, Hashable, Sendable {
  /// Characters before the error.
  public let offset: Int
}

/// The text form of a tree: `home*60 | (messages / "list/5/My friends")*40`. Panes separated by `|` are side by side,
/// panes separated by `/` are one above the other. A number after `*` is a part's weight. A `/` without
/// blanks around it is part of a name: `home / list/Friends` has two panes.
extension PaneTree where Pane == String {
  public init(text: String) throws(PaneTreeProblem) {
    var parser = PaneTreeParser(text)
    self = try parser.tree()
  }

  public var text: String {
    switch self {
    case .pane(let name): return Self.quoted(name)
    case .split(let axis, let share, let first, let second):
      // Thousandths restore the size of a part to within one column in windows of up to 1000 columns.
      let part = min(max(Int((share * 1000).rounded()), 1), 999)
      let unit = part % 10 == 0 ? 10 : 1
      let weights = part == 500 ? ("", "") : ("*\(part / unit)", "*\((1000 - part) / unit)")
      return first.grouped + weights.0 + (axis == .columns ? " | " : " / ") + second.grouped + weights.1
    }
  }

  private var grouped: String {
    if case .pane = self { text } else { "(\(text))" }
  }

  private static func quoted(_ name: String) -> String {
    guard name.isEmpty || name.first == "/" || name.contains(where: { $0.isWhitespace || "()|*\"".contains($0) }) else {
      return name
    }
    return "\"\(name.filter { $0 != "\"" })\""
  }
}

/// Parses the text form of a tree.
private struct PaneTreeParser {
  private let characters: [Character]
  private var index = 0
  /// Panes and groups so far, limited so that a malformed text can't exhaust the stack.
  private var count = 0
  private static let mostParts = 64

  init(_ text: String) { characters = Array(text) }

  private var problem: PaneTreeProblem { PaneTreeProblem(offset: index) }

  mutating func tree() throws(PaneTreeProblem) -> PaneTree<String> {
    let tree = try row()
    guard next() == nil else { throw problem }
    return tree
  }

  private mutating func row() throws(PaneTreeProblem) -> PaneTree<String> {
    try parts(along: .columns, separator: "|") { parser throws(PaneTreeProblem) in try parser.column() }.tree
  }

  private mutating func column() throws(PaneTreeProblem) -> (tree: PaneTree<String>, weight: Double) {
    try parts(along: .rows, separator: "/") { parser throws(PaneTreeProblem) in try parser.part() }
  }

  /// Parses one or more parts. A single part keeps its weight.
  private mutating func parts(
    along axis: PaneAxis, separator: Character,
    _ part: (inout PaneTreeParser) throws(PaneTreeProblem) -> (tree: PaneTree<String>, weight: Double)
  ) throws(PaneTreeProblem) -> (tree: PaneTree<String>, weight: Double) {
    var parts = [try part(&self)]
    while next() == separator {
      index += 1
      parts.append(try part(&self))
    }
    guard var joined = parts.popLast() else { throw problem }
    guard !parts.isEmpty else { return joined }
    for part in parts.reversed() {
      let weight = part.weight + joined.weight
      joined = (.split(axis, share: part.weight / weight, part.tree, joined.tree), weight)
    }
    return (joined.tree, 1)
  }

  private mutating func part() throws(PaneTreeProblem) -> (tree: PaneTree<String>, weight: Double) {
    guard count < Self.mostParts else { throw problem }
    count += 1
    let tree: PaneTree<String>
    if next() == "(" {
      index += 1
      tree = try row()
      guard next() == ")" else { throw problem }
      index += 1
    } else {
      tree = .pane(try name())
    }
    return (tree, try weight())
  }

  private mutating func name() throws(PaneTreeProblem) -> String {
    guard next() == "\"" else {
      guard next() != "/" else { throw problem }
      let name = taken { !$0.isWhitespace && !"()|*\"".contains($0) }
      guard !name.isEmpty else { throw problem }
      return name
    }
    index += 1
    let name = taken { $0 != "\"" }
    guard !name.isEmpty, index < characters.count else { throw problem }
    index += 1
    return name
  }

  private mutating func weight() throws(PaneTreeProblem) -> Double {
    guard next() == "*" else { return 1 }
    index += 1
    guard next() != nil, let weight = Int(taken(while: \.isNumber)), (1...1000).contains(weight) else { throw problem }
    return Double(weight)
  }

  /// The next character that isn't a space.
  private mutating func next() -> Character? {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    return index < characters.count ? characters[index] : nil
  }

  private mutating func taken(while condition: (Character) -> Bool) -> String {
    let start = index
    while index < characters.count, condition(characters[index]) { index += 1 }
    return String(characters[start..<index])
  }
}
