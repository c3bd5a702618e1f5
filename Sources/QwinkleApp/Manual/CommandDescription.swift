import ArgumentParser
import FoundationEssentials

/// The argument parser's description of a command.
struct CommandDescription: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      enum Kind: String, Decodable { case long, short, longWithSingleDash }

      var kind: Kind
      var name: String

      /// The name as typed, such as `--limit`.
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

  /// Describes a command and its subcommands.
  init(of command: any ParsableCommand.Type) throws {
    struct Tool: Decodable { var command: CommandDescription }
    self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }
}

extension CommandDescription.Argument {
  /// The usage, such as `--limit number`, or `text …`.
  var usage: String {
    let value = valueName ?? ""
    switch kind {
    case .positional: return value + (isRepeating ? " …" : "")
    case .flag, .option:
      let typed = (names ?? []).map(\.typed).joined(separator: ", ")
      return kind == .flag ? typed : "\(typed) \(value)"
    }
  }

  /// The usage, in brackets if the argument is optional.
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
  /// The arguments shown in help, except `--help` and `--version`. A flag and its inverse are merged.
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

  /// The subcommands shown in help.
  var ownSubcommands: [CommandDescription] { (subcommands ?? []).filter { $0.commandName != "help" } }
}
