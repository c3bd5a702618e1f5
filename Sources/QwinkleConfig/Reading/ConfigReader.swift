import QwinkleModel

/// Reads the text of `config.toml`. Skips invalid lines and uses the rest. After 50 problems, ignores the remaining
/// lines; after 50 syntax errors, ignores the whole text.
public struct ConfigReader: Sendable {
  public internal(set) var config = Config()
  /// Errors in the text, in the order of the file.
  public private(set) var problems: [ConfigProblem] = []
  /// The first problem with each option that the text sets to an invalid value, or in a malformed line.
  public private(set) var refused: [ConfigKey: ConfigProblem] = [:]

  private static let mostProblems = 50
  static let accounts = "accounts"
  private static let commands = "commands"
  private static let hooks = "hooks"

  /// The bytes of a text. As strings, texts in two normalization forms are equal. The generic comparison of
  /// arrays takes a hundred instructions for each byte; the comparison of this type is specialized.
  private struct Source: Equatable {
    let bytes: [UInt8]
  }

  // A start needs the options of the same text several times.
  private static let latest = LatestAnswer<Source, ConfigReader>()

  public init(_ text: String) {
    let source = Source(bytes: Array(text.utf8))
    self = Self.latest(to: source) { ConfigReader(parsing: source.bytes) }
  }

  private init(parsing bytes: [UInt8]) {
    var bytes = bytes
    guard let toml = parse(&bytes) else { return }
    let headers = Set(toml.items.lazy.filter(\.isHeader).map { $0.path[0] })
    for item in toml.items where problems.count < Self.mostProblems { read(item, toml, below: headers) }
    problems += checkWidths(toml)
    problems.sort { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// Parses the text. After a syntax error, adds a problem, removes the content of the malformed line and parses again.
  /// Returns nil if there are too many errors.
  private mutating func parse(_ bytes: inout [UInt8]) -> TOMLDocument? {
    for _ in 0..<Self.mostProblems {
      do throws(ConfigProblem) {
        return try TOMLDocument(bytes)
      } catch {
        problems.append(error)
        guard let line = Self.blank(line: error.line, in: &bytes) else { return nil }
        if let key = Self.key(of: line), refused[key] == nil { refused[key] = error }
      }
    }
    return nil
  }

  /// Removes the content of the line with this number, but not its newline. If the line is already empty, uses the
  /// nearest line above it that isn't. Returns the removed content, or nil if there's no such line.
  private static func blank(line number: Int, in bytes: inout [UInt8]) -> [UInt8]? {
    let newline = UInt8(ascii: "\n")
    var start = bytes.startIndex
    var last: Range<Int>?
    for _ in 0..<number {
      let end = bytes[start...].firstIndex(of: newline) ?? bytes.endIndex
      if start < end { last = start..<end }
      guard end < bytes.endIndex else { break }
      start = end + 1
    }
    guard let last else { return nil }
    defer { bytes.removeSubrange(last) }
    return Array(bytes[last])
  }

  /// The option that a line sets, if any.
  private static func key(of line: [UInt8]) -> ConfigKey? {
    var scanner = TOMLScanner(line)
    scanner.skipSpaces()
    return ConfigKey(name: scanner.bareName())
  }

  /// Reads a key or header. `headers` contains the first name of each header in the file.
  private mutating func read(_ item: TOMLItem, _ toml: TOMLDocument, below headers: Set<String>) {
    func complain(_ sentence: String) { problems.append(toml.problem(at: item.start, sentence)) }
    if Self.isOwn(item) {
      if let sentence = readOwn(item, toml) { complain(sentence) }
      return
    }
    if [Self.views, Self.hideRules].contains(item.path[0]), item.path.count > 1, !item.isHeader {
      if let problem = readRule(item, toml) { problems.append(problem) }
      return
    }
    if item.path[0] == Self.layouts, item.path.count > 1, !item.isHeader,
      item.path != [Self.layouts, Self.width] || !toml.isTable(at: item.path)
    {
      if let problem = readLayout(item, toml) { problems.append(problem) }
      return
    }
    if item.isHeader || toml.isTable(at: item.path) {
      if let sentence = Self.refusal(ofTable: item.path) { complain(sentence) }
      return
    }
    if item.path.count == 2, item.path[0] == Self.accounts {
      return complain("The options of an account are a table: [accounts.\"\(item.path[1])\"].")
    }
    let isOfAccount = item.path.count == 3 && item.path[0] == Self.accounts
    guard item.path.count == 1 || isOfAccount, let name = item.path.last else {
      // The key is in an invalid table. If the table has a header or is an inline table, the problem is reported there.
      // Otherwise, report it here.
      if !item.isInline, !headers.contains(item.path[0]), let sentence = Self.refusal(ofTable: item.path.dropLast()) {
        complain(sentence)
      }
      return
    }
    guard let key = ConfigKey(name: name) else { return complain(Self.unknown(name)) }
    let option = key.option
    if isOfAccount, !option.isPerAccount {
      return complain("\(name) applies to all accounts: write it above the tables.")
    }
    func refuse(_ problem: ConfigProblem) {
      problems.append(problem)
      if refused[key] == nil { refused[key] = problem }
    }
    guard let value = toml.configValue(at: item.path) else {
      return refuse(toml.problem(at: item.start, "\(name) must be \(option.choices)."))
    }
    if let refusal = option.refusal(of: value) {
      return refuse(toml.problem(at: item.value.lowerBound, refusal))
    }
    config.set(key, to: value, in: isOfAccount ? item.path[1] : nil)
  }

  /// Whether the item is in the `commands` or `hooks` table.
  private static func isOwn(_ item: TOMLItem) -> Bool {
    (item.path[0] == commands || item.path[0] == hooks) && item.path.count > 1
  }

  /// Reads one item of the `commands` or `hooks` table. Returns the problem, or nil if the item is valid.
  private mutating func readOwn(_ item: TOMLItem, _ toml: TOMLDocument) -> String? {
    let (table, name) = (item.path[0], item.path[1])
    if table == Self.hooks {
      guard let event = HookEvent(rawValue: name) else {
        let known = HookEvent.allCases.map(\.rawValue)
        let nearest = NearestWord.find(name, among: known).map { " Did you mean \($0)?" } ?? ""
        return "No event “\(name)”: \(known.joined(separator: ", ")).\(nearest)"
      }
      guard item.path.count == 2, let value = toml.configValue(at: item.path), case .text(let run) = value,
        !run.isEmpty
      else {
        return "\(name) must be a command."
      }
      config.hooks[event] = run
      return nil
    }
    // A longer path is a member of a command's table. Only the member's name is checked here, because its value is read
    // together with the table.
    guard item.path.count == 2 else {
      if item.path.count > 3 || !["run", "input", "output"].contains(item.path[2]) {
        return "A command has run, input and output."
      }
      return nil
    }
    guard OwnCommand.isName(name) else {
      return "A command's name has letters, digits, - and _."
    }
    func part(_ word: String) -> ConfigValue? { toml.configValue(at: item.path + [word]) }
    let isTable = toml.isTable(at: item.path)
    guard let run = isTable ? part("run") : toml.configValue(at: item.path), case .text(let line) = run, !line.isEmpty
    else {
      return "\(name) needs a command: \(name) = \"wc -w\"."
    }
    guard let input = OwnCommand.Input(rawValue: isTable ? part("input")?.text ?? "text" : "text") else {
      return "input must be \"text\", \"json\", \"url\" or \"picture\"."
    }
    guard let output = OwnCommand.Output(rawValue: isTable ? part("output")?.text ?? "show" : "show") else {
      return "output must be \"show\", \"drop\" or \"entry\"."
    }
    config.commands.append(OwnCommand(name: name, run: line, input: input, output: output))
    return nil
  }

  private static func unknown(_ name: String) -> String {
    let nearest = NearestWord.find(name, among: ConfigOption.all.map(\.name))
    return "No option “\(name)”." + (nearest.map { " Did you mean \($0)?" } ?? " List: qwinkle config")
  }

  /// Returns the reason for rejecting a table, or nil if it's valid.
  private static func refusal(ofTable path: some Collection<String>) -> String? {
    let path = Array(path)
    guard let first = path.first else { return nil }
    if path.count <= 2, first == accounts { return nil }
    if isLayoutTable(path) || path.count == 1 && [commands, hooks, views, hideRules].contains(first) { return nil }
    if path.count > 2, first == accounts { return "An account's options can't be nested." }
    if path == [ConfigKey.hide.name] { return "hide is a list of kinds. Rules are in [\(hideRules)]." }
    if path.count == 1, ConfigKey(name: first) != nil { return "\(first) is not a table: write it above the tables." }
    return "No table [\(path.joined(separator: "."))]."
      + (NearestWord.find(first, among: [accounts, commands, hideRules, hooks, layouts, views]).map {
        " Did you mean [\($0)\($0 == accounts ? ".…" : "")]?"
      } ?? "")
  }
}
