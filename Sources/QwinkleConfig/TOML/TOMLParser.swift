/// A parser for TOML 1.0: lines, headers and keys.
struct TOMLParser {
  /// Maximum depth of tables and arrays. It limits the parser's recursion. No real file is this deep.
  static let mostDepth = 100

  var scanner: TOMLScanner
  let root = TOMLTable(.section(0))
  /// Keys and headers in the order of the text.
  private(set) var items: [TOMLItem] = []

  /// The table that the last header opened. The keys below the header belong to it.
  private var table: TOMLTable
  /// Names in the last header.
  private var path: [String] = []
  /// Number of headers so far. It identifies the current section, which consists of a header and the keys below it.
  private var section = 0

  init(_ bytes: [UInt8]) {
    scanner = TOMLScanner(bytes, at: TOMLScanner.byteOrderMark(of: bytes))
    table = root
  }

  mutating func parse() throws(TOMLError) {
    while scanner.next != nil {
      try scanner.skipSpacesAndLines()
      guard let byte = scanner.next else { return }
      if byte == UInt8(ascii: "[") {
        try readHeader()
      } else {
        try readPair(into: table, at: path, depth: path.count, isInline: false)
      }
      try scanner.endLine()
    }
  }

  private mutating func readHeader() throws(TOMLError) {
    let start = scanner.place
    let isList = scanner.skip("[[")
    if !isList { scanner.place += 1 }
    scanner.skipSpaces()
    path = try key(depth: 0)
    let closing = isList ? "]]" : "]"
    guard scanner.skip(closing) else { throw scanner.expected("“\(closing)” after the table's name") }
    section += 1
    table = try Self.resolving(at: start) { [path, root, section] () throws(TOMLTable.Conflict) in
      var parent = root
      for name in path.dropLast() { parent = try parent.tableInHeader(name) }
      let name = path[path.count - 1]
      return isList ? try parent.append(name, section: section) : try parent.open(name, section: section)
    }
    items.append(TOMLItem(path: path, start: start, value: start..<start, isHeader: true, isInline: false))
  }

  /// Reads a key and its value. `path` is nil in arrays, where keys have no paths.
  mutating func readPair(into table: TOMLTable, at path: [String]?, depth: Int, isInline: Bool) throws(TOMLError) {
    let start = scanner.place
    let names = try key(depth: depth)
    guard scanner.skip("=") else { throw scanner.expected("“=” after the key") }
    scanner.skipSpaces()
    let valueStart = scanner.place
    let fullPath = path.map { $0 + names }
    let index = items.count
    if let fullPath {
      items.append(TOMLItem(path: fullPath, start: start, value: start..<start, isHeader: false, isInline: isInline))
    }
    let value = try value(at: fullPath, depth: depth + names.count)
    if fullPath != nil { items[index].value = valueStart..<scanner.place }
    try Self.resolving(at: start) { [section] () throws(TOMLTable.Conflict) in
      var parent = table
      for name in names.dropLast() { parent = try parent.tableForKey(name, inSection: section) }
      try parent.insert(value, for: names[names.count - 1])
    }
  }

  /// Performs `work`. Converts a conflict between keys to an error at `offset`.
  private static func resolving<Result>(
    at offset: Int, _ work: () throws(TOMLTable.Conflict) -> Result
  ) throws(TOMLError) -> Result {
    do throws(TOMLTable.Conflict) {
      return try work()
    } catch {
      throw TOMLError(offset: offset, reason: error.reason)
    }
  }

  // MARK: Keys

  /// Reads the names of a dotted key, and the spaces after it.
  private mutating func key(depth: Int) throws(TOMLError) -> [String] {
    var names: [String] = []
    repeat {
      guard depth + names.count < Self.mostDepth else { throw scanner.error(Self.tooDeep) }
      scanner.skipSpaces()
      names.append(try name())
      scanner.skipSpaces()
    } while scanner.skip(".")
    return names
  }

  private mutating func name() throws(TOMLError) -> String {
    if scanner.isString { return try scanner.string(canBeLong: false) }
    let name = scanner.bareName()
    if let byte = scanner.next, Self.needsQuotes(byte) {
      throw scanner.error("a key with \(scanner.found) needs quotes.")
    }
    if name.isEmpty { throw scanner.expected("a key") }
    return name
  }

  /// Whether a byte after a bare key was probably meant as part of the key, such as the `é` in `café`.
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"):
      false
    default: byte > 0x20 && byte != 0x7F
    }
  }

  static let tooDeep = "tables and arrays can be at most \(mostDepth) levels deep."
}
