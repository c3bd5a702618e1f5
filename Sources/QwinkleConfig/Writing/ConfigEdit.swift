/// Edits one line of a TOML text and preserves all other lines and comments.
struct ConfigEdit {
  private let text: String
  private let toml: TOMLDocument

  /// - Throws: ``ConfigProblem`` if `text` isn't TOML.
  init(_ text: String) throws(ConfigProblem) {
    self.text = text
    toml = try TOMLDocument(Array(text.utf8))
  }

  private var bytes: [UInt8] { toml.bytes }

  /// Returns the text with `value` set for `account`, or for all accounts if `account` is nil.
  ///
  /// - Throws: ``ConfigProblem`` if an edit of one line can't set the option without changing other options.
  func setting(_ key: ConfigKey, to value: ConfigValue, in account: String?) throws(ConfigProblem) -> String {
    let path = account.map { [ConfigReader.accounts, $0, key.name] } ?? [key.name]
    let edited = edited(path, value.toml)
    let toml = try TOMLDocument(edited)
    let text = String(decoding: edited, as: UTF8.self)
    var expected = ConfigReader(self.text).config
    expected.set(key, to: value, in: account)
    let after = ConfigReader(text).config
    guard toml.configValue(at: path) == value, after[key, account] == value, Self.isSame(after, expected) else {
      throw ConfigProblem(line: 1, column: 1, sentence: "Edit \(key.name) by hand: it can't be set here.")
    }
    return text
  }

  /// Returns the text with `layout`. A layout with the same name is replaced.
  ///
  /// - Throws: ``ConfigProblem`` if an edit of one line can't set the layout without changing other options.
  func setting(_ layout: OwnLayout) throws(ConfigProblem) -> String {
    let value = ConfigValue.text(layout.text)
    let edited = edited([ConfigReader.layouts, layout.name], value.toml)
    _ = try TOMLDocument(edited)
    let text = String(decoding: edited, as: UTF8.self)
    let (before, after) = (ConfigReader(self.text).config, ConfigReader(text).config)
    let others = before.layouts.filter { $0.name != layout.name }
    guard after.layouts.contains(where: { $0.name == layout.name && $0.text == layout.text }),
      after.layouts.filter({ $0.name != layout.name }) == others,
      Self.isSame(after, before)
    else {
      throw ConfigProblem(line: 1, column: 1, sentence: "Edit the layout \(layout.name) by hand: it can't be set here.")
    }
    return text
  }

  private static func isSame(_ one: Config, _ other: Config) -> Bool {
    Set(one.settings) == Set(other.settings) && one.accounts.count == other.accounts.count
      && one.accounts.allSatisfy { account in
        other.accounts.contains { $0.name == account.name && Set($0.settings) == Set(account.settings) }
      }
  }

  private func edited(_ path: [String], _ value: String) -> [UInt8] {
    if let item = toml.items.first(where: { $0.path == path && !$0.isHeader }) {
      return Array(bytes[..<item.value.lowerBound]) + Array(value.utf8) + Array(bytes[item.value.upperBound...])
    }
    let line = "\(TOMLText.key(path[path.count - 1])) = \(value)\n"
    guard path.count > 1 else { return inserting(line, at: placeAtTop(for: path[0])) }
    let table = Array(path.dropLast())
    guard let header = toml.items.lastIndex(where: { $0.isHeader && $0.path == table }) else {
      let name = table.map(TOMLText.key).joined(separator: ".")
      return inserting((bytes.isEmpty ? "" : "\n") + "[\(name)]\n" + line, at: bytes.count)
    }
    var last = toml.items[header]
    for item in toml.items[(header + 1)...].prefix(while: { !$0.isHeader }) where !item.isInline { last = item }
    return inserting(line, at: endOfLine(after: max(last.start, last.value.upperBound)))
  }

  /// Offset at which to insert an option for all accounts: after the option's commented-out default, else after the
  /// last option for all accounts, else before all tables.
  private func placeAtTop(for name: String) -> Int {
    let firstHeader = toml.items.first { $0.isHeader }?.start ?? bytes.count
    var start = 0
    let comment = Array("# \(name) =".utf8)
    while start < firstHeader {
      if bytes[start...].starts(with: comment), !isInside(start) { return endOfLine(after: start) }
      start = endOfLine(after: start)
      if start == bytes.count { break }
    }
    if let last = toml.items.last(where: { !$0.isHeader && !$0.isInline && $0.start < firstHeader }) {
      return endOfLine(after: last.value.upperBound)
    }
    return firstHeader
  }

  /// Whether a byte is inside a value, such as a multi-line string.
  private func isInside(_ place: Int) -> Bool { toml.items.contains { $0.value.contains(place) } }

  /// Offset just after the line that contains `place`.
  private func endOfLine(after place: Int) -> Int {
    bytes[place...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
  }

  private func inserting(_ line: String, at place: Int) -> [UInt8] {
    let needsBreak = place > 0 && bytes[place - 1] != UInt8(ascii: "\n")
    return Array(bytes[..<place]) + Array((needsBreak ? "\n" : "").utf8) + Array(line.utf8) + Array(bytes[place...])
  }
}
