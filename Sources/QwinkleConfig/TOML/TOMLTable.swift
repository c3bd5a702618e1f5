/// A table and the rules that decide which keys and headers can still extend it.
final class TOMLTable {
  /// The syntax that created a table.
  enum Origin {
    /// The header of a nested table: `[a.b]` also creates `a`. A later header `[a]` can still open this table.
    case implied
    /// A header or a dotted key in this section. A section is a header and the keys below it. Dotted keys of other
    /// sections can't extend the table.
    case section(Int)
    /// An inline table, which can't be extended.
    case braces
  }

  /// The reason for rejecting a key or a header.
  struct Conflict: Error {
    let reason: String
  }

  private var origin: Origin
  // Keyed by UTF-8 bytes: two normalization forms of “é” are different keys in TOML, but equal as `String`.
  private var values: [[UInt8]: TOMLValue] = [:]

  init(_ origin: Origin) {
    self.origin = origin
  }

  /// Names and values, in no particular order.
  var contents: [(name: String, value: TOMLValue)] {
    values.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
  }

  subscript(name: String) -> TOMLValue? { values[Array(name.utf8)] }

  // MARK: Keys

  /// Adds a key and its value. Throws if the key already exists.
  func insert(_ value: TOMLValue, for name: String) throws(Conflict) {
    guard self[name] == nil else { throw Conflict(reason: "\(Self.quoted(name)) is set twice.") }
    set(name, to: value)
  }

  /// Returns the table for a name in a dotted key, such as `a` in `a.b = 1`. Creates the table if it's missing.
  func tableForKey(_ name: String, inSection section: Int) throws(Conflict) -> TOMLTable {
    guard let value = self[name] else { return add(name, .section(section)) }
    guard case .table(let table) = value else { throw Self.notTable(name) }
    switch table.origin {
    case .implied: table.origin = .section(section)
    case .section(section): break
    case .section: throw Conflict(reason: "the table \(Self.quoted(name)) is defined elsewhere: write this key there.")
    case .braces: throw Self.complete(name)
    }
    return table
  }

  // MARK: Headers

  /// Returns the table for any name in a header except the last one, such as `a` in `[a.b]`. Creates the table if it's
  /// missing.
  func tableInHeader(_ name: String) throws(Conflict) -> TOMLTable {
    switch self[name] {
    case nil: return add(name, .implied)
    case .table(let table):
      if case .braces = table.origin { throw Self.complete(name) }
      return table
    case .array(let array):
      guard let table = array.lastTable else { throw Self.notTable(name) }
      return table
    default: throw Self.notTable(name)
    }
  }

  /// Returns the table for the header `[name]`, which starts a section. Creates the table if it's missing.
  func open(_ name: String, section: Int) throws(Conflict) -> TOMLTable {
    switch self[name] {
    case nil: return add(name, .section(section))
    case .table(let table):
      guard case .implied = table.origin else {
        throw Conflict(reason: "the table \(Self.quoted(name)) is defined twice.")
      }
      table.origin = .section(section)
      return table
    case .array(let array) where array.lastTable != nil:
      throw Conflict(reason: "\(Self.quoted(name)) is a list of tables: write [[…]].")
    default: throw Self.notTable(name)
    }
  }

  /// Adds a table for the header `[[name]]`, which starts a section. Returns the table.
  func append(_ name: String, section: Int) throws(Conflict) -> TOMLTable {
    let table = TOMLTable(.section(section))
    switch self[name] {
    case nil:
      let array = TOMLArray([.table(table)])
      array.lastTable = table
      set(name, to: .array(array))
    case .array(let array) where array.lastTable != nil:
      array.values.append(.table(table))
      array.lastTable = table
    case .table: throw Conflict(reason: "\(Self.quoted(name)) is one table: write […].")
    default: throw Conflict(reason: "\(Self.quoted(name)) is a value, not a list of tables.")
    }
    return table
  }

  // MARK: Helpers

  private func set(_ name: String, to value: TOMLValue) { values[Array(name.utf8)] = value }

  private func add(_ name: String, _ origin: Origin) -> TOMLTable {
    let table = TOMLTable(origin)
    set(name, to: .table(table))
    return table
  }

  private static func notTable(_ name: String) -> Conflict {
    Conflict(reason: "\(quoted(name)) is a value, not a table.")
  }

  private static func complete(_ name: String) -> Conflict {
    Conflict(reason: "the table \(quoted(name)) is in braces: write this key there.")
  }

  private static func quoted(_ name: String) -> String { "“\(name.prefix(40))”" }
}
