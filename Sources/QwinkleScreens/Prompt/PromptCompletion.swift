import QwinkleModel

/// The `Tab` completion of a line. The first `Tab` inserts the common prefix of the candidates. Each further `Tab`
/// inserts the next candidate.
struct PromptCompletion: Hashable, Sendable {
  /// Matching words, without the text before them.
  let candidates: [String]
  /// The line with the current completion inserted.
  private(set) var text: String

  private let head: String
  private var index: Int?

  /// Returns the file path being typed in `line`, or nil if the command takes no path.
  static func path(in line: String) -> TypedPath? {
    let parsed = PromptLine(line)
    guard parsed.isNameFinished, PromptCommand.named(parsed.name)?.argument?.kind == .picture else { return nil }
    return TypedPath(parsed.argument)
  }

  /// Completes `line`, or returns nil if it has no completions.
  init?(
    of line: String, lacking: Set<Ability> = [], files: [String] = [],
    known: (PromptCommand.Argument.Kind) -> [String]
  ) {
    let parsed = PromptLine(line)
    guard parsed.isNameFinished else {
      let commands = PromptCommand.all.filter { !($0.usualAbility.map(lacking.contains) ?? false) }
      let names = commands.map(\.name).filter { $0.hasPrefix(parsed.name) }
      // The name of a command for settings is complete, so offer the settings instead of commands.
      if names.contains(parsed.name), let command = PromptCommand.named(parsed.name), command.argument?.kind == .setting
      {
        self.init(command: command, typed: "", words: Self.settings(known(.setting), typed: ""))
        return
      }
      let isLast = names.count == 1 && PromptCommand.named(names[0])?.argument == nil
      self.init(head: "", typed: parsed.name, candidates: names, tail: isLast ? "" : " ")
      return
    }
    guard let command = PromptCommand.named(parsed.name), let argument = command.argument else { return nil }
    guard argument.kind != .picture else {
      let path = TypedPath(parsed.argument)
      let words = path.folder.isEmpty ? known(.picture).filter { $0.hasPrefix(path.start) } : []
      self.init(
        head: "\(command.name) \(path.folder)", typed: path.start, candidates: words + files, tail: "", isExact: true)
      return
    }
    self.init(
      command: command, typed: parsed.argument,
      words: argument.kind == .setting ? Self.settings(known(.setting), typed: parsed.argument) : known(argument.kind))
  }

  /// Returns the names of the settings that begin with `typed`. If `typed` is a full name, or only one name matches,
  /// returns that setting with each of its values instead. If `typed` contains a space, returns all words.
  private static func settings(_ words: [String], typed: String) -> [String] {
    guard !typed.contains(" ") else { return words }
    var names: [String] = []
    for word in words where word.hasPrefix(typed) {
      let name = String(word.prefix { $0 != " " })
      if !names.contains(name) { names.append(name) }
    }
    guard names.count == 1 || names.contains(typed) else { return names }
    return words.filter { $0.hasPrefix((names.contains(typed) ? typed : names[0]) + " ") }
  }

  init?(command: PromptCommand, typed: String, words: [String]) {
    // People type @alice and #garden even where a bare name is expected.
    let sign = typed.first.map { "@#".contains($0) ? String($0) : "" } ?? ""
    let start = typed.dropFirst(sign.count).lowercased()
    let isSigned = words.contains { $0.hasPrefix(sign) && !sign.isEmpty }
    let fitting = words.filter { word in
      isSigned ? word.lowercased().hasPrefix(sign + start) : word.lowercased().hasPrefix(start)
    }
    let head = ":\(command.name) " + (isSigned ? "" : sign)
    self.init(
      head: String(head.dropFirst()), typed: isSigned ? typed : String(typed.dropFirst(sign.count)),
      candidates: fitting, tail: "")
  }

  /// - Parameter isExact: Whether the common prefix is case-sensitive, as in file names.
  private init?(head: String, typed: String, candidates: [String], tail: String, isExact: Bool = false) {
    guard let first = candidates.first else { return nil }
    self.candidates = candidates
    self.head = head
    if candidates.count == 1 {
      text = head + first + tail
    } else {
      let certain = candidates.dropFirst().reduce(first) { Self.commonStart($0, $1, isExact: isExact) }
      text = head + (certain.count >= typed.count ? certain : typed)
    }
  }

  /// Switches to the next or previous candidate.
  mutating func step(back: Bool) {
    guard candidates.count > 1 else { return }
    let next = index.map { $0 + (back ? -1 : 1) } ?? (back ? candidates.count - 1 : 0)
    index = (next + candidates.count) % candidates.count
    text = head + candidates[index ?? 0]
  }

  /// The candidate that is inserted in the line, or nil until ``step(back:)`` chooses one.
  var current: String? { index.map { candidates[$0] } }

  private static func commonStart(_ first: String, _ second: String, isExact: Bool) -> String {
    String(zip(first, second).prefix { $0 == $1 || !isExact && $0.lowercased() == $1.lowercased() }.map(\.0))
  }
}
