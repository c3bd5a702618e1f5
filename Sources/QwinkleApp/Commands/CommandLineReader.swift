import ArgumentParser
import Foundation
import QwinkleModel

/// Prepares the command line for the parser. Replaces former command names, moves options after the command's name, and
/// rejects unknown commands.
enum CommandLineReader {
  /// Former names of commands. They still work, but aren't listed.
  private static let formerNames = ["notices": "notifications"]
  /// Options that can be typed before the command's name. Most commands have them.
  private static let optionsWithValue = ["--as", "--server", "--socket"]
  private static let flags = ["--token-stdin"]

  /// Returns `arguments` with the command's current name first, or unchanged if they name no command. Replaces
  /// `help TOPIC` with the command that prints the topic's page of the manual.
  ///
  /// - Throws: ``AppError`` if the command doesn't exist, or if an option was typed before the command's name and must
  ///   follow it.
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

  /// Returns the name of the command at the start of the prepared `arguments`, if any.
  static func commandName(in arguments: [String]) -> String? {
    arguments.first.flatMap { names.contains($0) && $0 != "help" ? $0 : nil }
  }

  /// Returns the parser's error message, without its suggestion if the suggested option isn't similar to the typed one.
  /// For example, the parser suggests `--json` for `--frob`.
  static func withoutFarSuggestion(_ message: String) -> String {
    let parts = message.components(separatedBy: "'. Did you mean '--")
    guard parts.count == 2, let start = parts[0].range(of: "Unknown option '--"), let end = parts[1].firstIndex(of: "'")
    else { return message }
    let (word, suggested) = (String(parts[0][start.upperBound...]), String(parts[1][..<end]))
    return NearestWord.find(word, among: [suggested]) == nil ? parts[0] + "'." : message
  }

  /// Returns the number of leading arguments that belong to options allowed before a command's name.
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

  /// Throws if an option is typed before a command's name but belongs after it. Doesn't throw if the whole line can be
  /// parsed without a command's name. Such a line opens the screen.
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

  /// Throws if the words after `help` aren't the name of a command.
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

  /// Returns the error for an unknown command. `path` is the parent command's name followed by a space, or empty for a
  /// top-level command.
  private static func unknown(_ word: String, of path: String = "", among names: [String] = names) -> AppError {
    .usage("No command “\(word)”.\(suggestion(for: word, of: path, among: names)) List: qwinkle \(path)--help")
  }

  /// Returns a question that suggests the most similar name, or an empty string if no name is similar.
  private static func suggestion(for word: String, of path: String, among names: [String]) -> String {
    // Other clients have commands such as `unfollow`; here it is `follow --undo`.
    if word.hasPrefix("un"), ["boost", "favourite", "bookmark", "follow"].contains(String(word.dropFirst(2))) {
      return " Did you mean qwinkle \(word.dropFirst(2)) --undo?"
    }
    return NearestWord.find(word, among: names).map { " Did you mean qwinkle \(path)\($0)?" } ?? ""
  }
}
