import ArgumentParser
import Foundation
import PaneKit
import QwinkleConfig
import QwinkleScreens
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The manual describes every command, option and key, and nothing that doesn't exist.
@Suite(.bounded) struct ManualTests {
  private func page(_ file: String) throws -> ManualPage {
    try #require(try Manual.pages().first { $0.file == file })
  }

  /// Returns the text of a page without escapes.
  private func text(_ page: ManualPage) -> String {
    let signs = [
      ("\\&", ""), ("\\-", "-"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(ga", "`"), ("\\(aq", "'"), ("\\(dq", "\""),
      ("\\e", "\\"),
    ]
    return signs.reduce(page.source) { $0.replacing($1.0, with: $1.1) }
  }

  private func flat(_ text: String) -> String { text.replacing("\n", with: " ") }

  private func commands(_ command: CommandDescription, under parents: String = "") -> [(String, CommandDescription)] {
    let name = "\(parents)\(command.commandName)"
    return [(name, command)] + command.ownSubcommands.flatMap { commands($0, under: "\(name) ") }
  }

  @Test func `the manual lists exactly the existing commands and their options`() throws {
    let whole = try text(page("qwinkle.1")) + text(page("qwinkle-serve.8"))
    let headings = Set(
      whole.split(separator: "\n").filter { $0.hasPrefix(".Ss qwinkle ") }.map { String($0.dropFirst(4)) })
    var known: Set<String> = []
    var count = 0
    for (name, command) in commands(try CommandDescription(of: RootCommand.self)) where name != "qwinkle" {
      if name != "qwinkle screen" {
        #expect(headings.contains(name), "\(name)")
        known.insert(name)
      }
      for argument in command.ownArguments {
        count += 1
        #expect(whole.contains(".It \(argument.usage)\n"), "\(name) \(argument.usage)")
        #expect(!argument.meaning.isEmpty, "\(name) \(argument.usage) says nothing")
        #expect(flat(whole).contains(flat(argument.meaning)), "\(name) \(argument.usage)")
      }
    }
    #expect(headings.subtracting(known).isEmpty)
    #expect(known.count > 40 && count > 80)
  }

  @Test func `the manual lists every key and every screen command`() throws {
    let keys = try text(page("qwinkle-keys.5"))
    for binding in try Keymap.standard.get().bindings {
      #expect(flat(keys).contains(binding.summary), "\(binding.summary)")
      for sequence in binding.sequences { #expect(keys.contains(Keymap.name(of: sequence))) }
    }
    let program = try text(page("qwinkle.1"))
    for entry in HelpPart.commandsOnScreen(try Keymap.standard.get()).entries {
      #expect(flat(program).contains(".It \(entry.name) \(entry.meaning) "), "\(entry.name)")
    }
  }

  /// Returns the terms that a page explains below a heading and its subheadings.
  private func terms(_ file: String, below heading: String) throws -> [String] {
    let lines = try text(page(file)).split(separator: "\n").drop { $0 != ".Sh \(heading)" }.dropFirst()
    return lines.prefix { !$0.hasPrefix(".Sh ") }.filter { $0.hasPrefix(".It ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `the manual lists no unknown options, keys or screen commands`() throws {
    #expect(try terms("qwinkle-config.5", below: "OPTIONS").sorted() == ConfigOption.all.map(\.name).sorted())
    let commands = HelpPart.commandsOnScreen(try Keymap.standard.get()).entries.map(\.name)
    #expect(try terms("qwinkle.1", below: "SCREEN COMMANDS") == commands)
    #expect(Set(commands).count == commands.count)
    let keys = try text(page("qwinkle-keys.5"))
    let explained = keys.matches(of: /\[([a-z.:-]+)\]/).map { String($0.output.1) }
    #expect(Set(explained) == Set(try Keymap.standard.get().bindings.map(\.action.rawValue)))
    var known: Set<String> = []
    for (_, command) in self.commands(try CommandDescription(of: RootCommand.self)) {
      known.formUnion(command.ownArguments.map(\.usage))
    }
    for file in ["qwinkle.1", "qwinkle-serve.8"] {
      let options = try text(page(file)).split(separator: "\n").filter { $0.hasPrefix(".It -") }
      #expect(options.allSatisfy { known.contains(String($0.dropFirst(4))) }, "\(file)")
    }
  }

  /// A line that begins with a dot or an apostrophe would be a request.
  @Test func `text is escaped so that no line is a roff request`() throws {
    var page = ManualPage("a", 1, summary: "a")
    page.add(".Sh \\no 'quote")
    page.add("'tis - a")
    page.add([.init(term: "-a \"No Op\"", meaning: ".B")])
    #expect(page.source.contains(".Pp\n\\&.Sh \\eno \\(aqquote\n"))
    #expect(page.source.contains("\n\\(aqtis \\- a\n"))
    page.add("first  second  ^N " + String(repeating: "word ", count: 40) + "two  spaces.")
    #expect(page.source.contains("first  second  \\(haN word word"))
    #expect(page.source.contains("two  spaces.\n"))
    #expect(page.source.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
    #expect(page.source.contains(".It \\&\\-a \\&\\(dqNo \\&Op\\(dq\n\\&.B\n"))
  }

  @Test func `the synopsis has a line for each form of the command`() throws {
    var page = ManualPage("qwinkle", 1, summary: "a")
    page.add(heading: "Synopsis")
    page.add(forms: ["qwinkle [options]", "qwinkle --as ME", "qwinkle"])
    page.add(heading: "Description")
    page.add("Text.")
    #expect(page.source.contains(".Nm qwinkle\n[options]\n.Nm qwinkle\n\\-\\-as ME\n.Nm qwinkle\n.Sh DESCRIPTION"))
    #expect(
      page.plainText.contains(
        "SYNOPSIS\n    qwinkle [options]\n    qwinkle --as ME\n    qwinkle\n\nDESCRIPTION\n    Text.\n"),
      "\(page.plainText)")
    #expect(page.markdown.contains("```\nqwinkle [options]\nqwinkle --as ME\nqwinkle\n```"))
  }

  @Test func `the manual has the usual sections in the usual order, and twenty keys`() throws {
    let sections = try page("qwinkle.1").blocks.compactMap { block in
      if case .heading(let heading) = block { heading } else { nil }
    }
    #expect(
      sections == [
        "Synopsis", "Description", "Keys", "Options", "Commands", "Screen commands", "Configuration", "Environment",
        "Files", "Exit status", "Examples", "See also", "Bugs",
      ])
    let keymap = try Keymap.standard.get()
    let keys = CommonKeys.entries(keymap)
    #expect((20...30).contains(keys.count) && keys.first?.term == "j k")
    #expect(keys.contains { $0.term == "1 2 3" } && keys.contains { $0.term == "?" })
    let plain = try page("qwinkle.1").plainText
    #expect(plain.contains("c writes, ? lists all keys and commands, q quits."), "\(plain.prefix(2000))")
  }

  @Test func `Markdown escapes markup in text, and keeps cells apart`() {
    var page = ManualPage("a", 1, summary: "does *a*")
    page.add(heading: "Options")
    page.add("One_two <b> #tag\n[c].\n\nAnother.")
    page.add([.init(term: "a|b `", meaning: "x | y")])
    page.add(example: "echo | cat")
    page.add(seeAlso: ["b.5"])
    #expect(
      page.markdown == """
        # a(1)

        Does \\*a\\*.

        ## Options

        One\\_two \\<b> \\#tag \\[c\\].

        Another.

        | | |
        |---|---|
        | `` a\\|b ` `` | x \\| y |

        ```
        echo | cat
        ```

        """)
  }

  @Test(arguments: zip(["commands.md", "keys.md"], ["qwinkle.1", "qwinkle-keys.5"]))
  func `the generated pages in docs are current`(_ document: String, _ file: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
    let text = try String(contentsOf: folder.appending(path: document), encoding: .utf8)
    #expect(text == (try page(file).markdown), "make docs writes docs/\(document) again")
  }

  @Test func `each help topic prints a page in plain text`() async throws {
    try await Program.inNewHome { program in
      for topic in HelpTopic.allCases where topic != .config {
        let help = try await program.run("help", topic.rawValue)
        #expect(help.status == 0 && help.text.hasPrefix("NAME\n"), "\(topic): \(help.errors)")
        let lines = help.text.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix(".") || $0.contains("\\&") || $0.contains("\\(") }, "\(topic)")
      }
      #expect(try await program.run("help", "options").text.contains("confirm-quit"))
      #expect(try await program.run("help", "keys").text.contains("^D"))
    }
  }

  @Test func `the manual command lists and prints the pages`() async throws {
    try await Program.inNewHome { program in
      let list = try await program.run("manual")
      #expect(list.text.split(separator: "\n").map(String.init) == (try Manual.pages().map(\.file)))
      #expect(try await program.run("manual", "qwinkle-keys.5").text == page("qwinkle-keys.5").source)
      let missing = try await program.run("manual", "qwinkle.9")
      #expect(missing.status == 2 && missing.errors.contains("qwinkle manual lists the pages"))
    }
  }
}
