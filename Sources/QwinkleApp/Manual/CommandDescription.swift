import ArgumentParser
import FoundationEssentials

/// What the argument parser knows of a command.
struct CommandDescription: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      enum Kind: String, Decodable { case long, short, longWithSingleDash }

      var kind: Kind
      var name: String

      /// As it is typed: `--limit`.
      var typed: String { (kind == .long ? "--" : "-") + name }
    }

    enum Kind: String, Decodable { case positional, option, flag }

    var kind: Kind
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var discussion: String?
    var defaultValue: String?
    var allValues: [String]?
  }

  var commandName: String
  var abstract: String?
  var discussion: String?
  var arguments: [Argument]?
  var subcommands: [CommandDescription]?

  /// Of a command and its subcommands.
  init(of command: any ParsableCommand.Type) throws {
    struct Tool: Decodable { var command: CommandDescription }
    self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }
}

extension CommandDescription.Argument {
  /// How it is typed: `--limit number`, `[text]`.
  var usage: String {
    let value = valueName ?? ""
    switch kind {
    case .positional: return value + (isRepeating ? " …" : "")
    case .flag, .option:
      let typed = (names ?? []).map(\.typed).joined(separator: ", ")
      return kind == .flag ? typed : "\(typed) \(value)"
    }
  }

  /// Usage, and brackets where it can be left out.
  var optionalUsage: String { isOptional || kind == .flag ? "[\(usage)]" : usage }

  /// Description for the manual: its help, allowed values and default.
  var meaning: String {
    var sentences = [abstract, discussion].compactMap(\.self)
    if let allValues, !allValues.isEmpty, !(abstract ?? "").contains(allValues[0]) {
      sentences.append("One of: \(allValues.joined(separator: ", ")).")
    }
    if let defaultValue, kind == .option { sentences.append("Default: \(defaultValue).") }
    return sentences.joined(separator: " ")
  }
}

extension CommandDescription {
  /// The arguments that help shows, without those that all commands have. A flag and its opposite are one.
  var ownArguments: [Argument] {
    let shown = (arguments ?? []).filter { argument in
      argument.shouldDisplay && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
    }
    func opposite(of argument: Argument) -> Argument? {
      shown.first { other in other.names?.map(\.name) == argument.names?.map { "no-\($0.name)" } && other.names != nil }
    }
    return shown.filter { argument in
      !shown.contains { $0.names != nil && $0.names?.map { "no-\($0.name)" } == argument.names?.map(\.name) }
    }.map { argument in
      var whole = argument
      whole.names? += opposite(of: argument)?.names ?? []
      return whole
    }
  }

  /// The subcommands that help shows.
  var ownSubcommands: [CommandDescription] { (subcommands ?? []).filter { $0.commandName != "help" } }
}
