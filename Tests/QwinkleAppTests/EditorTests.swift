import Foundation
import QwinkleModel
import TerminalTesting
import Testing

/// Editing a text in an external editor, in a real terminal.
@Suite(.needsTmux, .bounded) struct EditorTests {
  private static let state = ".local/state/qwinkle"

  /// Types `text` into a new entry, starts the editor and runs `body`. `script` is a shell script, the editor.
  private func writing(
    _ text: String, editor script: String, variable: String = "VISUAL", isAlone: Bool = false,
    _ body: (Program, TmuxHarness) async throws -> Void
  ) async throws {
    try await Program.inNewHome { program in
      try program.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "editor")
      chmod("\(program.home)/editor", 0o700)
      try await program.with([variable: "\(program.home)/editor"]).onTerminal(isAlone: isAlone) { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.press("c")
        try await terminal.wait(for: "New post")
        try await terminal.type(text)
        try await terminal.wait(for: text)
        try await terminal.press("C-x", "e")
        try await body(program, terminal)
      }
    }
  }

  private func leftovers(of program: Program) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(program.home)/\(Self.state)")
    return (names ?? []).filter { $0.hasPrefix("writing") }
  }

  @Test(arguments: ["VISUAL", "EDITOR"]) func `the editor uses the terminal and returns its text`(variable: String)
    async throws
  {
    let script = #"""
      ls -ld "$(dirname "$1")" | cut -c1-10; ls -l "$1" | cut -c1-10; ls "/proc/$$/fd" > "$HOME/descriptors"
      printf 'was: '; cat "$1"; echo; printf 'line? '; read line
      printf '%s\nand %s\n' "$(cat "$1")" "$line" > "$1"; touch "$1~"
      """#
    try await writing("Half a thou", editor: script, variable: variable) { program, terminal in
      let editing = try await terminal.wait(for: "line?")
      #expect(!editing.isAlternate && editing.isCursorVisible)
      #expect(editing.contains("was: Half a thou"))
      #expect(editing.contains("drwx------") && editing.contains("-rw-------"))
      #expect(!editing.contains("New post"))
      // The editor inherits no file, socket or database of this program.
      let listed = program.files().first { $0.path == "descriptors" }.map { String(decoding: $0.bytes, as: UTF8.self) }
      let descriptors = listed?.split(separator: "\n").compactMap { Int($0) } ?? []
      #expect(descriptors.contains(1) && Set(descriptors).isDisjoint(with: 3...9))
      // The editor receives the typed keys. In Qwinkle they would quit.
      try await terminal.type("q1cy\r")
      let back = try await terminal.wait(for: "and q1cy")
      #expect(back.isAlternate)
      #expect(back.contains("Half a thou"))
      #expect(leftovers(of: program).isEmpty)
      try await terminal.type("!")
      try await terminal.wait(for: "Public, everyone")
      try await terminal.press("C-d")
      try await terminal.wait(for: "Posted")
      try await terminal.wait(for: "and q1cy!")
    }
  }

  @Test func `^C in the editor does not reach Qwinkle`() async throws {
    let script = #"""
      trap 'echo caught' INT; printf 'line? '; read line; read line; echo "$line" > "$1"
      """#
    try await writing("Half", editor: script) { _, terminal in
      try await terminal.wait(for: "line?")
      try await terminal.press("C-c")
      try await terminal.wait(for: "caught")
      try await terminal.type("one\rtwo\r")
      let back = try await terminal.wait(for: "New post")
      #expect(back.contains("one") || back.contains("two"))
      #expect(!back.contains("again quits"))
      // After the editor, ^C quits Qwinkle again.
      try await terminal.press("C-c")
      try await terminal.wait(for: "Quit")
    }
  }

  @Test(arguments: [("C-c", "signal 2"), ("C-\\", "signal 3")])
  func `a key that kills the editor neither changes the text nor ends Qwinkle`(key: String, words: String) async throws
  {
    // Without a shell, because the same key would kill it.
    try await writing(
      "Half a thou", editor: "ulimit -c 0; printf 'line? '; read line; echo other > \"$1\"", isAlone: true
    ) { program, terminal in
      try await terminal.wait(for: "line?")
      try await terminal.press(key)
      let back = try await terminal.wait(for: words)
      // The message may take two rows.
      let shown = back.rows.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
      #expect(back.isAlternate && back.contains("Half a thou") && shown.contains("Your text is unchanged"))
      #expect(leftovers(of: program).isEmpty)
      try await terminal.type("ght")
      try await terminal.wait(for: "Half a thought")
    }
  }

  @Test func `an editor that fails leaves the text unchanged`() async throws {
    try await writing("Half a thou", editor: "touch \"$1~\"; exit 3") { program, terminal in
      let back = try await terminal.wait(for: "exited with status 3")
      #expect(back.contains("Half a thou") && back.contains("Your text is unchanged"))
      #expect(leftovers(of: program).isEmpty)
    }
  }

  @Test(arguments: [
    ("exit 3", "post.txt", "status 3"), ("kill -9 $$", "post.txt", "signal 9"),
    ("mv \"$1\" \"$1.swp\"; exit 1", "post.txt.swp", "status 1"),
  ])
  func `the file of an editor that failed is preserved and its path is shown`(end: String, name: String, words: String)
    async throws
  {
    try await writing("Half a thou", editor: "echo 'a long evening' > \"$1\"; \(end)") { program, terminal in
      let back = try await terminal.wait(for: words)
      #expect(back.contains("Half a thou"))
      let folder = try #require(leftovers(of: program).first)
      let shown = back.rows.map { $0.trimmingCharacters(in: .whitespaces) }.joined()
      #expect(shown.contains("\(program.home)/\(Self.state)/\(folder)"), "\(back.rows)")
      let kept = program.files().first { $0.path == "\(Self.state)/\(folder)/\(name)" }
      #expect(kept.map { String(decoding: $0.bytes, as: UTF8.self) } == "a long evening\n")
    }
  }

  @Test(arguments: [("/nowhere/editor", "did not start"), ("no-such-editor --wait", "did not start")])
  func `a missing editor is reported`(command: String, words: String) async throws {
    try await Program.inNewHome { program in
      try await program.with(["EDITOR": command]).onTerminal { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.press("c")
        try await terminal.type("Half a thou")
        try await terminal.press("C-x", "e")
        let back = try await terminal.wait(for: words)
        #expect(back.isAlternate && back.contains("Half a thou"))
      }
    }
  }

  @Test func `a common editor is found if none is set and otherwise a hint is shown`() async throws {
    try await Program.inNewHome { program in
      let path = "\(program.home)/bin"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try await program.with(["VISUAL": " ", "EDITOR": "", "PATH": path]).onTerminal { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.press("c", "C-x", "e")
        try await terminal.wait(for: "No editor found. Set $VISUAL or $EDITOR.")
        try program.write(Array("#!/bin/sh\nprintf 'from nano' > \"$1\"\n".utf8), to: "bin/nano")
        chmod("\(path)/nano", 0o700)
        try await terminal.press("C-x", "e")
        let back = try await terminal.wait(for: "from nano")
        #expect(back.isAlternate && back.contains("New post"))
      }
    }
  }

  @Test func `an editor command may have arguments and quotes`() async throws {
    try await Program.inNewHome { program in
      try await program.with(["EDITOR": "W='from the shell'; printf '%s' \"$W\" >"]).onTerminal { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.press("c", "C-x", "e")
        let back = try await terminal.wait(for: " from the shell")
        #expect(back.isAlternate && back.contains("New post") && !back.contains("printf"))
      }
    }
  }

  @Test func `the screen adopts a size that changed while editing`() async throws {
    try await writing("Half a thou", editor: "printf 'line? '; read line") { _, terminal in
      try await terminal.wait(for: "line?")
      try await terminal.resize(rows: 30, columns: 100)
      try await terminal.type("\r")
      let back = try await terminal.wait(for: "a rule from edge to edge") { screen in
        screen.contains("New post") && screen.rows.contains { $0.hasPrefix("──") && $0.count == 100 }
      }
      #expect(back.rows.count == 30)
    }
  }

  @Test func `^Z in the editor suspends both and fg resumes both`() async throws {
    try await Program.inNewHome { program in
      try program.write(Array("#!/bin/sh\nprintf 'line? '; read line; echo \"$line\" > \"$1\"\n".utf8), to: "editor")
      chmod("\(program.home)/editor", 0o700)
      let shell = program.with(["PS1": "prompt> ", "QWINKLE": Program.path, "VISUAL": "\(program.home)/editor"])
      try await shell.onTerminal(command: ["/bin/bash", "--norc", "--noprofile", "-i"]) { terminal in
        try await terminal.wait(for: "prompt>")
        try await terminal.type("$QWINKLE\r")
        try await Program.waitForTimeline(terminal)
        try await terminal.press("c", "C-x", "e")
        try await terminal.wait(for: "line?")
        try await terminal.press("C-z")
        try await terminal.wait(for: "the prompt") { $0.contains("Stopped") && $0.lastRow == "prompt>" }
        try await terminal.type("clear; fg\r")
        // The screen is cleared before the editor resumes.
        try await terminal.wait(for: "the editor again") { $0.contains("$QWINKLE") && !$0.contains("Stopped") }
        try await terminal.type("after the stop\r")
        // The editor's text may still be visible after Qwinkle has resumed.
        try await terminal.wait(for: "the entry again") { screen in
          screen.isAlternate && screen.contains("after the stop") && screen.contains("New post")
        }
        try await terminal.press("C-z")
        try await terminal.waitForEnd(of: "New post")
        let prompt = try await terminal.wait(for: "prompt>")
        #expect(!prompt.isAlternate && prompt.isCursorVisible)
      }
    }
  }

  @Test func `terminating Qwinkle ends the editor and saves its file as a draft`() async throws {
    let script = "echo 'saved there' > \"$1\"; printf 'line? '; read line"
    try await writing("Half a thou", editor: script) { program, terminal in
      try await terminal.wait(for: "line?")
      let process = try await terminal.processID()
      let editor = try #require(ProcessList.children(of: process).first)
      kill(process, SIGTERM)
      try await terminal.waitForEnd()
      #expect(!ProcessList.isRunning(editor))
      #expect(try program.drafts().map(\.entry.text) == ["saved there"])
    }
  }
}
