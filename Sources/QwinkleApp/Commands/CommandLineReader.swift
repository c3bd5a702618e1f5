import ArgumentParser
import Foundation
import QwinkleModel

/// Prepares the command line for the parser: old names, options before a command's name, and names of no command.
enum CommandLineReader {
  /// Names that commands had before. They keep working, unlisted.
  private static let formerNames = ["notices": "notifications"]
  /// Options of most commands that may stand before the command's name: with a value, and without.
  private static let optionsWithValue = ["--as", "--server"]
  private static let flags = ["--token-stdin"]

  /// `arguments` with the command's name first and today's.
  ///
  /// - Throws: ``AppError`` if there is no such command, or an option stands before it that belongs after it.
  static func prepared(_ arguments: [String]) throws(AppError) -> [String] {
    if arguments.first == "help" {
      if arguments.count == 2, !names.contains(arguments[1]), let topic = HelpTopic(rawValue: arguments[1]) {
        return ["manual", topic.page, "--text"]
      }
      try checkHelp(arguments.dropFirst().map { formerNames[$0] ?? $0 })
      return ["help"] + arguments.dropFirst().map { formerNames[$0] ?? $0 }
    }
    let count = globalOptionsCount(arguments)
    let (options, rest) = (arguments[..<count], arguments[count...])
    guard let word = rest.first else { return arguments }
    guard !word.hasPrefix("-") else {
      try checkPlace(of: word, in: rest)
      return arguments
    }
    let name = formerNames[word] ?? word
    guard names.contains(name) else { throw unknown(word) }
    guard name == "help" else { return [name] + options + rest.dropFirst() }
    return try prepared([name] + rest.dropFirst())
  }

  /// The command that `arguments`, prepared, name; nil if they name none.
  static func commandName(in arguments: [String]) -> String? {
    arguments.first.flatMap { names.contains($0) && $0 != "help" ? $0 : nil }
  }

  /// `message` of the parser, without an option that it suggests for a word that is not near it: `--json` for `--frob`.
  static func withoutFarSuggestion(_ message: String) -> String {
    let parts = message.components(separatedBy: "'. Did you mean '--")
    guard parts.count == 2, let start = parts[0].range(of: "Unknown option '--"), let end = parts[1].firstIndex(of: "'")
    else { return message }
    let (word, suggested) = (String(parts[0][start.upperBound...]), String(parts[1][..<end]))
    return NearestWord.find(word, among: [suggested]) == nil ? parts[0] + "'." : message
  }

  /// How many words of `arguments` at its start are options that may stand there.
  private static func globalOptionsCount(_ arguments: [String]) -> Int {
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      if flags.contains(word) || optionsWithValue.contains(where: { word.hasPrefix($0 + "=") }) {
        index += 1
      } else if optionsWithValue.contains(word), index + 1 < arguments.count {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  /// Refuses an option before a command's name, unless it is one of the screen's, which needs no name.
  private static func checkPlace(of option: String, in arguments: ArraySlice<String>) throws(AppError) {
    guard !option.hasPrefix("---"), let name = arguments.first(where: { names.contains($0) }) else { return }
    do {
      _ = try RootCommand.parseAsRoot(Array(arguments))
    } catch {
      guard RootCommand.exitCode(for: error) == .validationFailure else { return }
      throw .usage(
        "Options go after the command's name: qwinkle \(name) … \(option). "
          + "Only --as, --server and --token-stdin may go before it.")
    }
  }

  /// Refuses `help` for something that is no command.
  private static func checkHelp(_ words: [String]) throws(AppError) {
    var configuration = RootCommand.configuration
    var path = ""
    for word in words where !word.hasPrefix("-") {
      let subcommands = Self.subcommands(of: configuration)
      guard let found = subcommands[word] else { throw unknown(word, of: path, among: subcommands.keys.sorted()) }
      configuration = found
      path += "\(word) "
    }
  }

  private static var names: [String] { subcommands(of: RootCommand.configuration).keys.sorted() + ["help"] }

  private static func subcommands(of configuration: CommandConfiguration) -> [String: CommandConfiguration] {
    var byName: [String: CommandConfiguration] = [:]
    for command in configuration.subcommands {
      let configuration: CommandConfiguration = command.configuration
      byName[configuration.commandName ?? ""] = configuration
    }
    return byName
  }

  /// `path` is the command that `names` belong to, and a space.
  private static func unknown(_ word: String, of path: String = "", among names: [String] = names) -> AppError {
    .usage("No command “\(word)”.\(suggestion(for: word, of: path, among: names)) List: qwinkle \(path)--help")
  }

  /// A question that names what was probably meant; empty if nothing is near.
  private static func suggestion(for word: String, of path: String, among names: [String]) -> String {
    // Other programs have `unfollow`.
    if word.hasPrefix("un"), ["boost", "favourite", "bookmark", "follow"].contains(String(word.dropFirst(2))) {
      return " Did you mean qwinkle \(word.dropFirst(2)) --undo?"
    }
    return NearestWord.find(word, among: names).map { " Did you mean qwinkle \(path)\($0)?" } ?? ""
  }
}
