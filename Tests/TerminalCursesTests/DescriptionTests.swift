import Foundation
import Terminal
import Testing

@testable import TerminalCurses

extension CursesTests {
  /// Built-in terminal descriptions.
  @MainActor
  @Suite struct Descriptions {
    @Test(arguments: [
      "foot", "linux", "screen", "tmux-256color", "vt100", "wezterm", "xterm", "xterm-16color", "xterm-256color",
      "xterm-direct", "xterm-kitty",
    ])
    func `a terminal in memory is drawn from a built-in description`(kind: String) throws {
      #expect(TerminalKind.builtIn(for: kind) != nil && MemoryTerminal.isDescribed(kind))
      try withScreen(kind: kind) { driver, _, _ in
        driver.present(picture(10, 40, ["shown"]))
        #expect(driver.screenText.hasPrefix("shown\n"))
      }
    }

    @Test(arguments: ["", "dumb", "never-heard-of"])
    func `a terminal that cannot be drawn has no description`(kind: String) {
      #expect(!MemoryTerminal.isDescribed(kind))
    }

    @Test func `opening a screen does not change the environment`() throws {
      func terminfo() -> [String: String] {
        ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("TERMINFO") }
      }
      let before = terminfo()
      try withScreen(kind: "xterm-direct") { driver, _, _ in
        #expect(driver.capabilities.colors == 1 << 24)
        #expect(terminfo() == before)
      }
    }

    @Test func `every terminal in a tape has a built-in description`() throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      var kinds: Set<String> = []
      for folder in ["Tests/Tapes", "Resources/pictures"] {
        let path = root.appending(path: folder).path
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".tape") {
          let tape = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
          for match in tape.matches(of: /Env TERM "?([^\s"]+)/) { kinds.insert(String(match.1)) }
        }
      }
      #expect(kinds.isSuperset(of: ["foot", "xterm-direct"]))
      for kind in kinds { #expect(TerminalKind.builtIn(for: kind) != nil, "\(kind): add it to .ci/describe-terminals") }
    }
  }
}
