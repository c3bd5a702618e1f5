import ArgumentParser
import QwinkleModel
import QwinkleServer
import QwinkleWire

/// `qwinkle serve rules`: lists and changes the server's rules.
struct ServedRulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List and change the server's rules, which apps show to users.",
    discussion: "If the server was started with --rules FILE, the rules of the file are shown instead.",
    subcommands: [List.self, Add.self, Edit.self, Remove.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the stored rules: id, text.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { service in
        let rules = try service.storedRules()
        if json { return StandardOutput.print(json: WireEncoder.rules(rules)) }
        for rule in rules { StandardOutput.print("\(rule.id) · \(rule.text)", wraps: false) }
        if rules.isEmpty { StandardOutput.remark(onEmptyList: "No rules. Add one: qwinkle serve rules add TEXT") }
      }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a rule and print its id.")

    @Argument(help: "The rule, of at most 1,000 characters.")
    var text: String

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.changing { StandardOutput.print(try $0.addRule(text), wraps: false) }
    }
  }

  struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change the text of a rule.")

    @Argument(help: "The rule's id.")
    var id: String

    @Argument(help: "The new text.")
    var text: String

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.changing { try $0.editRule(id, to: text) }
      StandardOutput.print("Rule \(id) is changed.")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a rule. Reports that cite it keep its text.")

    @Argument(help: "The rule's id.")
    var id: String

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.changing { try $0.removeRule(id) }
      StandardOutput.print("Rule \(id) is removed.")
    }
  }
}
