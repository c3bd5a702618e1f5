import TOMLKit

/// The one place that asks TOMLKit, which decides what is valid.
struct ConfigTOML {
  private let table: TOMLTable

  /// - Throws: ``ConfigProblem`` if `text` is not TOML.
  init(_ text: String) throws(ConfigProblem) {
    let bytes = Array(text.utf8)
    // It would end there for the parser.
    if let nul = bytes.firstIndex(of: 0) {
      let line = bytes[..<nul].count { $0 == 10 } + 1
      throw ConfigProblem(line: line, column: 1, sentence: "Not TOML: a NUL character.")
    }
    if let problem = Self.headerProblem(in: bytes) { throw problem }
    if let problem = TOMLGuard.problem(in: bytes) { throw problem }
    let encoded = TOMLLetters.encoded(text)
    do {
      table = try TOMLTable(string: encoded)
    } catch let error as TOMLParseError {
      let line = error.source.begin.line
      let column = TOMLLetters.column(error.source.begin.column, ofLine: line, in: encoded)
      let said = TOMLLetters.decoded(Self.sentence(error.description))
      // The parser speaks of a part of what stands for a letter.
      let letter = said.contains("~") ? TOMLLetters.letter(inLine: line, from: column, of: text) : nil
      throw ConfigProblem(
        line: line, column: column,
        sentence: "Not TOML: \(letter.map { "“\($0)” can stand only in quotes and comments." } ?? said)")
    } catch {
      throw ConfigProblem(line: 1, column: 1, sentence: "Not TOML.")
    }
  }

  /// A header that begins with no name. The parser's assertions would end the program there.
  private static func headerProblem(in bytes: [UInt8]) -> ConfigProblem? {
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    var number = 0
    var place = 0
    while place <= bytes.count {
      number += 1
      let end = bytes[place...].firstIndex(of: 10) ?? bytes.count
      let line = bytes[place..<end]
      place = end + 1
      let start = line.first == 0xEF && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
      let rest = start.drop(while: isSpace)
      guard rest.first == UInt8(ascii: "[") else { continue }
      var name = rest.dropFirst().drop(while: isSpace)
      if name.first == UInt8(ascii: "[") { name = name.dropFirst().drop(while: isSpace) }
      if let first = name.popFirst(), TOMLText.isBare(first) || "\"']".utf8.contains(first) { continue }
      return ConfigProblem(
        line: number, column: line.count - name.count, sentence: "Not TOML: the name of a table in quotes is needed.")
    }
    return nil
  }

  /// The parser's words as a sentence of ours.
  private static func sentence(_ words: String) -> String {
    let text = words.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let start = "Error while parsing "
    let rest = text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
    return rest.hasSuffix(".") ? rest : rest + "."
  }

  /// The value at a path; nil if there is none, or of no kind that options have.
  func value(at path: [String]) -> ConfigValue? {
    guard let node = node(at: path) else { return nil }
    switch node.type {
    case .bool: return node.bool.map { .flag($0) }
    case .int: return node.int.map { .number($0) }
    case .string: return node.string.map { .text(TOMLLetters.decoded($0)) }
    case .array:
      guard let array = node.array else { return nil }
      var words: [String] = []
      for index in 0..<array.count {
        guard let word = array[index].string else { return nil }
        words.append(TOMLLetters.decoded(word))
      }
      return .list(words)
    case .double, .date, .time, .dateTime, .table: return nil
    }
  }

  /// Whether a table stands at a path.
  func isTable(at path: [String]) -> Bool { node(at: path)?.type == .table }

  private func node(at path: [String]) -> (any TOMLValueConvertible)? {
    var table = table
    for name in path.dropLast() {
      guard let next = table[TOMLLetters.encoded(name)]?.table else { return nil }
      table = next
    }
    guard let last = path.last else { return nil }
    return table[TOMLLetters.encoded(last)]
  }
}
