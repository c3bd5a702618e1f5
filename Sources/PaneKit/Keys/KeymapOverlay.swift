import Terminal

/// A problem in the text of a ``KeymapOverlay``. Line and column numbers start at 1.
public struct KeymapProblem: Error, Hashable, Sendable {
  public let line: Int
  public let column: Int
  public let sentence: String
}

/// A keymap with changes read from a text, such as the user's key bindings. Each line of the text has the columns
/// context, action and keys, separated by a tab or at least two spaces, and optionally a fourth column with text for
/// the help.
///
/// The first line for an action and context replaces the action's keys in the context. If `+` precedes the keys, they
/// are added to the action's keys instead, as the keys of further lines always are. If the third column of the first
/// line is `-`, all keys of the action are removed. Keys that a line binds are removed from other actions of the
/// context. The action `press KEYS` is a macro, and `:COMMAND` is a prompt command.
public struct KeymapOverlay {
  /// The keymap with the changes.
  public private(set) var keymap: Keymap
  /// Problems in the text, in order of position.
  public private(set) var problems: [KeymapProblem] = []

  private var bindings: [Keymap.Binding]
  private let contexts: [String]
  private let actions: [String]
  private let allowsCommands: Bool
  private let nearest: (String, [String]) -> String?
  private var lines: [Line] = []

  /// A line that has been parsed without problems.
  private struct Line {
    let number: Int
    let column: Int
    let context: KeyContext
    let action: Action
    let sequences: [[Key]]
  }

  private static let mostLines = 2000
  private static let mostProblems = 50

  /// - Parameter allowsCommands: Whether lines can bind prompt commands and macros. Only true for the user's own file.
  /// - Parameter nearest: Returns the most similar known name, for suggestions.
  public init(
    _ text: String, over keymap: Keymap, allowsCommands: Bool = true, nearest: @escaping (String, [String]) -> String?
  ) {
    self.allowsCommands = allowsCommands
    self.keymap = keymap
    self.nearest = nearest
    bindings = keymap.bindings
    contexts = keymap.bindings.map(\.context.rawValue).uniqued()
    actions = keymap.bindings.map(\.action.rawValue).uniqued()
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.mostLines) {
      number += 1
      read(line, number)
    }
    self.keymap = Keymap(bindings)
    if !lines.isEmpty { checkAll(before: keymap) }
    problems.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    problems = Array(problems.prefix(Self.mostProblems))
  }

  // MARK: Lines

  private mutating func complain(_ line: Int, _ column: Int, _ sentence: String) {
    problems.append(KeymapProblem(line: line, column: column, sentence: sentence))
  }

  private mutating func read(_ line: Substring, _ number: Int) {
    let columns = Self.columns(of: line)
    guard let first = columns.first, !first.text.hasPrefix("#") else { return }
    guard columns.count >= 3 else {
      let words = "Three columns are needed, with two spaces between them: context  action  keys."
      return complain(number, first.column, words)
    }
    guard contexts.contains(String(first.text)) else {
      return complain(number, first.column, unknown("context", first.text, contexts))
    }
    let (name, column) = columns[1]
    guard allowsCommands || !(name.hasPrefix(":") || name.hasPrefix(Action.macroStart)) else {
      return complain(number, column, "Only your own keys.txt can have macros and commands.")
    }
    guard actions.contains(String(name)) || name.hasPrefix(":") && name.count > 1 || isMacro(name, number, column)
    else {
      if !name.hasPrefix(Action.macroStart) { complain(number, column, unknown("action", name, actions)) }
      return
    }
    guard let sequences = sequences(columns[2], number) else { return }
    let context = KeyContext(rawValue: String(first.text))
    let isAdded = columns[2].text.hasPrefix("+ ")
    let summary = columns.count > 3 ? columns[3].text : ""
    bind(
      context, Action(rawValue: String(name)), sequences, isAdded: isAdded, words: summary, number, columns[2].column)
  }

  private mutating func isMacro(_ name: Substring, _ number: Int, _ column: Int) -> Bool {
    guard name.hasPrefix(Action.macroStart) else { return false }
    let words = name.dropFirst(Action.macroStart.count).split(separator: " ")
    if let wrong = words.first(where: { Keymap.sequence($0) == nil }) {
      complain(number, column, "“\(wrong)” is not a key.")
      return false
    }
    if words.isEmpty { complain(number, column, "press needs keys.") }
    return !words.isEmpty
  }

  private func unknown(_ kind: String, _ word: Substring, _ known: [String]) -> String {
    "No \(kind) “\(word)”." + (nearest(String(word), known).map { " Did you mean \($0)?" } ?? "")
  }

  private mutating func sequences(_ column: (text: Substring, column: Int), _ number: Int) -> [[Key]]? {
    if column.text == "-" { return [] }
    var sequences: [[Key]] = []
    var place = column.column
    for word in column.text.split(separator: " ", omittingEmptySubsequences: false) {
      defer { place += word.count + 1 }
      if word == "+", sequences.isEmpty, place == column.column, column.text.count > 1 { continue }
      guard let sequence = Keymap.sequence(word) else {
        complain(number, place, "“\(word)” is not a key. Examples: x ^X M-x gg ^Xs Enter F2")
        return nil
      }
      sequences.append(sequence)
    }
    return sequences
  }

  /// Returns the columns of a line and the position of each. Columns are separated by a tab or at least two spaces.
  private static func columns(of line: Substring) -> [(text: Substring, column: Int)] {
    var columns: [(Substring, Int)] = []
    var rest = line.unicodeScalars[...]
    var place = 1
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\r" }
    while true {
      while let first = rest.first, isSpace(first) {
        rest = rest.dropFirst()
        place += 1
      }
      guard !rest.isEmpty else { return columns }
      var end = rest.startIndex
      while end < rest.endIndex {
        let next = rest.index(after: end)
        let isGap = rest[end] == " " && next < rest.endIndex && isSpace(rest[next])
        if isGap || (isSpace(rest[end]) && rest[end] != " ") || (rest[end] == " " && next == rest.endIndex) { break }
        end = next
      }
      if columns.count == 3 { end = rest.endIndex }
      let text = Substring(rest[..<end])
      columns.append((text, place))
      place += text.unicodeScalars.count
      rest = rest[end...]
    }
  }

  // MARK: Binding

  private mutating func bind(
    _ context: KeyContext, _ action: Action, _ sequences: [[Key]], isAdded: Bool, words: Substring, _ number: Int,
    _ column: Int
  ) {
    for line in lines where line.context == context && line.action != action {
      for sequence in sequences where line.sequences.contains(sequence) {
        complain(
          number, column,
          "\(Keymap.name(of: sequence)) is \(line.action.rawValue) in line \(line.number); this line replaces it.")
      }
    }
    let isTouched = lines.contains { $0.context == context && $0.action == action }
    // Unbind these sequences from other actions in the context.
    for index in bindings.indices where bindings[index].context == context && bindings[index].action != action {
      guard bindings[index].sequences.contains(where: sequences.contains) else { continue }
      bindings[index] = bindings[index].with(bindings[index].sequences.filter { !sequences.contains($0) })
    }
    let known = bindings.first { $0.action == action }
    let parts = words.split(separator: ":", maxSplits: 1)
    let word = parts.first.map(String.init) ?? known?.word ?? action.rawValue
    let summary = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : known?.summary ?? action.rawValue
    if let index = bindings.firstIndex(where: { $0.context == context && $0.action == action }) {
      let before = isAdded || isTouched ? bindings[index].sequences : []
      bindings[index] = bindings[index].with(before + sequences.filter { !before.contains($0) })
    } else {
      let last = bindings.lastIndex { $0.context == context } ?? bindings.count - 1
      bindings.insert(
        Keymap.Binding(context: context, action: action, sequences: sequences, word: word, summary: summary),
        at: last + 1)
    }
    lines.append(Line(number: number, column: column, context: context, action: action, sequences: sequences))
  }

  // MARK: Checking

  /// Returns the contexts whose bindings take precedence over the bindings of `context`.
  private static func nearer(than context: KeyContext) -> [KeyContext] {
    switch context.rawValue {
    case "qwink": ["list"]
    case "global": ["list", "qwink"]
    case "always": ["list", "qwink", "global"]
    default: []
    }
  }

  private mutating func checkAll(before: Keymap) {
    for line in lines {
      // A later line may have bound these keys to another action.
      guard let now = bindings.first(where: { $0.context == line.context && $0.action == line.action }) else {
        continue
      }
      for sequence in line.sequences where now.sequences.contains(sequence) { check(sequence, line, before) }
    }
    let given = Set(lines.filter { $0.sequences.isEmpty }.map(\.action))
    let typed = Set(bindings.filter { !$0.sequences.isEmpty }.map(\.action))
    for action in before.bindings.filter({ !$0.sequences.isEmpty }).map(\.action).uniqued()
    where !given.contains(action) && !typed.contains(action) {
      let own = lines.filter { $0.action == action }.flatMap(\.sequences)
      let old = Set(before.bindings.filter { $0.action == action }.flatMap(\.sequences) + own)
      let line = lines.last { $0.action != action && !old.isDisjoint(with: $0.sequences) }
      complain(line?.number ?? 1, line?.column ?? 1, "\(action.rawValue) no longer has a key.")
    }
  }

  private mutating func check(_ sequence: [Key], _ line: Line, _ before: Keymap) {
    let nearer = Self.nearer(than: line.context)
    for binding in bindings where binding.action != line.action {
      let isNearer = nearer.contains(binding.context)
      guard isNearer || binding.context == line.context else { continue }
      for other in binding.sequences {
        let goesOn = other.count > sequence.count && other.starts(with: sequence)
        let isBegin = other.count < sequence.count && sequence.starts(with: other)
        guard goesOn || isBegin || isNearer && other == sequence else { continue }
        // Don't report overlaps that the original keymap already has, because they are intentional. For example, q goes
        // back, or quits if there is nothing to go back to.
        if before.has(sequence, line.action, line.context), before.has(other, binding.action, binding.context) {
          continue
        }
        let (name, otherName) = (Keymap.name(of: sequence), Keymap.name(of: other))
        let sentence =
          if isBegin {
            "\(name) can't be typed: \(otherName) is \(binding.action.rawValue)."
          } else if !isNearer {
            "\(name) hides \(otherName), \(binding.action.rawValue)."
          } else if goesOn {
            "\(name) begins \(otherName), \(binding.action.rawValue), which wins."
          } else {
            "\(name) is \(binding.action.rawValue) in \(binding.context.rawValue), which wins."
          }
        complain(line.number, line.column, sentence)
      }
    }
  }
}

extension Keymap {
  fileprivate func has(_ sequence: [Key], _ action: Action, _ context: KeyContext) -> Bool {
    bindings.contains { $0.context == context && $0.action == action && $0.sequences.contains(sequence) }
  }
}

extension Keymap.Binding {
  fileprivate func with(_ sequences: [[Key]]) -> Self {
    Self(context: context, action: action, sequences: sequences, word: word, summary: summary)
  }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
