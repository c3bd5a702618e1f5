import ArgumentParser
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleReplay
import QwinkleScreens

/// The manual pages, generated mostly from the program's commands, options, keys and tape reference.
enum Manual {
  static func pages() throws -> [ManualPage] { [try program(), config(), try keys(), tapes(), try server()] }

  /// File names of all pages.
  static let files = ["qwinkle.1", "qwinkle-config.5", "qwinkle-keys.5", "qwinkle-tapes.5", "qwinkle-serve.8"]
  /// Pages of the commands that have their own page, by command.
  private static let commandsElsewhere = ["serve": "qwinkle-serve.8"]

  private static func others(than page: ManualPage) -> [String] { files.filter { $0 != page.file } }

  // MARK: qwinkle(1)

  private static func program() throws -> ManualPage {
    let root = RootCommand.configuration
    let keymap = try UserConfig.keymap(Paths())
    var page = ManualPage("qwinkle", 1, summary: "read and write a timeline of short posts in the terminal")
    page.add(heading: "Synopsis")
    page.add(forms: ManualWords.forms)
    page.add(heading: "Description")
    page.add(
      ManualWords.description.split(separator: "\n\n").map { keymap.naming(String($0)) }.joined(separator: "\n\n"))
    page.add(heading: "Keys")
    page.add(keymap.naming(ManualWords.screen))
    page.add(CommonKeys.entries(keymap))
    page.add("All keys, and how to change them: see qwinkle-keys(5).")
    page.add(heading: "Options")
    page.add(try entries(of: CommandDescription(of: ScreenCommand.self)))
    page.add(heading: "Commands")
    // The first paragraph of the help is for readers without this page.
    page.add(root.discussion.split(separator: "\n\n").dropFirst().joined(separator: "\n\n"))
    page.add(ManualWords.commands)
    for group in root.groupedSubcommands {
      for command in group.subcommands { try add(CommandDescription(of: command), to: &page) }
    }
    page.add(heading: "Screen commands")
    page.add(keymap.naming(ManualWords.prompt))
    page.add(HelpPart.commandsOnScreen(keymap).entries.map { ManualPage.Entry(term: $0.name, meaning: $0.meaning) })
    page.add(heading: "Configuration")
    page.add(ManualWords.configuration)
    page.add(example: ManualWords.shortConfig)
    page.add("All options: see qwinkle-config(5).")
    page.add(heading: "Environment")
    page.add(ManualWords.environment)
    page.add(heading: "Files")
    page.add(ManualWords.files)
    page.add(heading: "Exit status")
    page.add(
      """
      0: done. 1: failed; standard error has the reason. 2: the command was not understood. A command that has \
      changed something ends with 0 even if its result can't be printed; standard error then has a message such as \
      “Posted, but cannot write the output”. A script that repeats failed commands never posts twice.
      """)
    page.add(heading: "Examples")
    for group in ManualExamples.groups {
      page.add(subheading: group.title)
      page.add(group.examples)
    }
    page.add(seeAlso: others(than: page))
    page.add(heading: "Bugs")
    page.add(ManualWords.bugs)
    page.add(example: ManualWords.bugReport)
    page.add(ManualWords.bugReportContents)
    return page
  }

  private static func add(_ command: CommandDescription, under parents: String = "qwinkle", to page: inout ManualPage) {
    let name = "\(parents) \(command.commandName)"
    page.add(subheading: name)
    if let file = commandsElsewhere[command.commandName], parents == "qwinkle", page.file != file {
      return page.add("\(command.abstract ?? "") See \(file.dropLast(2))(\(file.suffix(1))).")
    }
    if command.ownSubcommands.isEmpty || !command.ownArguments.isEmpty {
      page.add(([name] + command.ownArguments.map(\.optionalUsage)).joined(separator: " "))
    }
    page.add(command.abstract ?? "")
    page.add(command.discussion ?? "")
    page.add(entries(of: command))
    for subcommand in command.ownSubcommands { add(subcommand, under: name, to: &page) }
  }

  private static func entries(of command: CommandDescription) -> [ManualPage.Entry] {
    command.ownArguments.map { ManualPage.Entry(term: $0.usage, meaning: $0.meaning) }
  }

  // MARK: Other pages

  private static func keys() throws -> ManualPage {
    var page = ManualPage("qwinkle-keys", 5, summary: "keys of the qwinkle screen")
    page.add(heading: "Description")
    page.add(ManualWords.keys)
    page.add(heading: "Your own keys")
    page.add(ManualWords.ownKeys)
    page.add(example: ManualWords.ownKeysExample)
    page.add(heading: "Keys")
    let keymap = try UserConfig.keymap(Paths())
    let commands = HelpPart.commandsOnScreen(keymap)
    for part in HelpPart.all(keymap: keymap) where part != commands {
      let context = HelpPart.context(titled: part.title).map { " (\($0.rawValue))" } ?? ""
      page.add(subheading: part.title + context)
      page.add(
        part.entries.map { entry in
          ManualPage.Entry(term: entry.name, meaning: entry.meaning + (entry.action.map { " [\($0)]" } ?? ""))
        })
    }
    page.add(seeAlso: others(than: page))
    return page
  }

  private static func config() -> ManualPage {
    var page = ManualPage("qwinkle-config", 5, summary: "options of qwinkle")
    page.add(heading: "Description")
    page.add(ManualWords.config)
    page.add(heading: "Options")
    for group in ConfigOption.Group.allCases {
      page.add(subheading: group.rawValue)
      page.add(
        ConfigOption.all.filter { $0.group == group }.map { option in
          let scope = option.isPerAccount ? " Can be set for one account." : ""
          return ManualPage.Entry(
            term: option.name,
            meaning: "\(option.meaning) \(option.choices). Default: \(option.standard.toml).\(scope)")
        })
    }
    page.add(heading: "Views")
    page.add(ManualWords.views)
    page.add(
      ViewRule.Sign.allCases.map { ManualPage.Entry(term: $0.rawValue, meaning: "\($0.meaning).") }
        + ViewRule.Field.allCases.map { ManualPage.Entry(term: "\($0.rawValue):", meaning: "\($0.meaning).") }
        + [ManualPage.Entry(term: "'words'", meaning: ManualWords.viewText)])
    page.add(heading: "Hidden posts")
    page.add(ManualWords.hideRules)
    page.add(heading: "Layouts")
    page.add(ManualWords.layouts)
    page.add(PaneForm.all.map { ManualPage.Entry(term: $0.form, meaning: $0.meaning) })
    page.add(heading: "Commands and hooks")
    page.add(ManualWords.ownCommands)
    page.add(heading: "Themes")
    page.add(ManualWords.theme)
    page.add("The roles: \(ThemeReader.roles.map(\.rawValue).joined(separator: ", ")).")
    page.add(heading: "Files")
    page.add([
      ManualPage.Entry(term: "~/.config/qwinkle/config.toml", meaning: "The options, in TOML 1.0."),
      ManualPage.Entry(term: "~/.config/qwinkle/keys.txt", meaning: "Your own keys: see qwinkle-keys(5)."),
      ManualPage.Entry(term: "~/.config/qwinkle/theme.txt", meaning: "Your own theme."),
    ])
    page.add(heading: "Examples")
    page.add(example: ManualWords.configExample)
    page.add(ManualExamples.files)
    page.add(seeAlso: others(than: page))
    return page
  }

  private static func tapes() -> ManualPage {
    var page = ManualPage("qwinkle-tapes", 5, summary: "scripted sessions of qwinkle")
    page.add(heading: "Description")
    page.add(ManualWords.tapes)
    for part in TapeReference.parts {
      page.add(heading: part.title)
      page.add(part.entries.map { ManualPage.Entry(term: $0.usage, meaning: $0.meaning) })
    }
    page.add(heading: "Examples")
    page.add(example: ManualWords.tape)
    page.add(seeAlso: others(than: page))
    return page
  }

  private static func server() throws -> ManualPage {
    var page = ManualPage("qwinkle-serve", 8, summary: "serve a timeline over HTTP")
    page.add(heading: "Synopsis")
    page.add(forms: ["qwinkle serve [options]", "qwinkle serve COMMAND [arguments]"])
    page.add(heading: "Description")
    page.add(ManualWords.server)
    page.add(heading: "Commands")
    try add(CommandDescription(of: ServeCommand.self), to: &page)
    page.add(heading: "Files")
    page.add(ManualWords.serverFiles)
    page.add(heading: "Examples")
    page.add(ManualExamples.serving)
    page.add(seeAlso: others(than: page))
    return page
  }
}
