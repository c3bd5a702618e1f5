/// A key with its value, or the header of a table.
struct TOMLItem {
  /// Names of the nested keys, from the root.
  let path: [String]
  /// Byte offset of the key or header.
  let start: Int
  /// Byte range of the value. Empty for a header.
  var value: Range<Int>
  let isHeader: Bool
  /// Whether the key is in an inline table.
  let isInline: Bool
}

/// A parsed TOML text: its values, and the positions of its keys and values.
struct TOMLDocument {
  let bytes: [UInt8]
  let root: TOMLTable
  /// Keys and headers in the order of the text. Keys in arrays aren't included.
  let items: [TOMLItem]

  /// - Throws: ``ConfigProblem`` if the text isn't TOML.
  init(_ bytes: [UInt8]) throws(ConfigProblem) {
    self.bytes = bytes
    var parser = TOMLParser(bytes)
    do throws(TOMLError) {
      try parser.parse()
    } catch {
      throw Self.problem(at: error.offset, in: bytes, "Not TOML: \(error.reason)")
    }
    root = parser.root
    items = parser.items
  }

  /// Returns the value at `path`. Returns nil if the path has no value or crosses an array.
  func value(at path: [String]) -> TOMLValue? {
    var table = root
    for name in path.dropLast() {
      guard case .table(let next) = table[name] else { return nil }
      table = next
    }
    return path.last.flatMap { table[$0] }
  }

  /// Returns a problem at a byte offset, which is converted to a line and a column.
  func problem(at offset: Int, _ sentence: String) -> ConfigProblem {
    Self.problem(at: offset, in: bytes, sentence)
  }

  private static func problem(at offset: Int, in bytes: [UInt8], _ sentence: String) -> ConfigProblem {
    let position = TOMLPosition(of: offset, in: bytes)
    return ConfigProblem(line: position.line, column: position.column, sentence: sentence)
  }
}
