import QwinkleModel

/// Reads the text of `config.toml`. What is wrong in it costs that line, never the rest.
public struct ConfigReader {
  public private(set) var config = Config()
  /// What is wrong, in the order of the file.
  public private(set) var problems: [ConfigProblem] = []

  private static let mostProblems = 50
  static let accounts = "accounts"

  /// Reads `text`.
  public init(_ text: String) {
    var bytes = Array(text.utf8)
    guard let toml = parse(&bytes) else { return }
    let scanner = ConfigScanner(bytes)
    for item in scanner.items where problems.count < Self.mostProblems { read(item, toml, scanner) }
    problems.sort { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// Parses, each time without a line that cannot be understood.
  private mutating func parse(_ bytes: inout [UInt8]) -> ConfigTOML? {
    for _ in 0..<Self.mostProblems {
      do throws(ConfigProblem) {
        return try ConfigTOML(String(decoding: bytes, as: UTF8.self))
      } catch {
        problems.append(error)
        guard Self.blank(line: error.line, in: &bytes) else { return nil }
      }
    }
    return nil
  }

  /// Empties a line, or the last before it that is not empty. Returns false if there is none.
  private static func blank(line number: Int, in bytes: inout [UInt8]) -> Bool {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    guard let index = lines.prefix(number).lastIndex(where: { !$0.isEmpty }) else { return false }
    lines[index] = []
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    return true
  }

  private mutating func read(_ item: ConfigScanner.Item, _ toml: ConfigTOML, _ scanner: ConfigScanner) {
    func complain(_ sentence: String) {
      let (line, column) = scanner.position(of: item.start)
      problems.append(ConfigProblem(line: line, column: column, sentence: sentence))
    }
    if item.isHeader || toml.isTable(at: item.path) {
      if let sentence = Self.refusal(ofTable: item.path) { complain(sentence) }
      return
    }
    let isOfAccount = item.path.count == 3 && item.path[0] == Self.accounts
    guard item.path.count == 1 || isOfAccount, let name = item.path.last else {
      // The table was complained about.
      return
    }
    guard let key = ConfigKey(name: name) else { return complain(Self.unknown(name)) }
    let option = key.option
    if isOfAccount, !option.isPerAccount {
      return complain("\(name) holds for all accounts: write it above the tables.")
    }
    guard let value = toml.value(at: item.path) else {
      return complain("\(name) must be \(option.choices).")
    }
    if let refusal = option.refusal(of: value) {
      let (line, column) = scanner.position(of: item.value.lowerBound)
      problems.append(ConfigProblem(line: line, column: column, sentence: refusal))
      return
    }
    config.set(key, to: value, in: isOfAccount ? item.path[1] : nil)
  }

  private static func unknown(_ name: String) -> String {
    let nearest = NearestWord.find(name, among: ConfigOption.all.map(\.name))
    return "No option “\(name)”." + (nearest.map { " Did you mean \($0)?" } ?? " List: qwinkle config")
  }

  /// Why there is no such table; nil if there is.
  private static func refusal(ofTable path: [String]) -> String? {
    guard let first = path.first else { return nil }
    if path.count <= 2, first == accounts { return nil }
    // What stands in a table that was complained about.
    if path.count > 2, first == accounts { return "An account's options have no parts." }
    if path.count == 1, ConfigKey(name: first) != nil { return "\(first) is no table: write it above the tables." }
    return "No table [\(path.joined(separator: "."))]."
      + (NearestWord.find(first, among: [accounts]).map { " Did you mean [\($0).…]?" } ?? "")
  }
}
