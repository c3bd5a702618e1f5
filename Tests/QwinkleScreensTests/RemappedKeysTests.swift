import Foundation
import QwinkleConfig
import Terminal
import TerminalTesting
import Testing

@testable import PaneKit
@testable import QwinkleApp
@testable import QwinkleScreens

/// A user who has remapped every key in `keys.txt`: no screen and no manual page names an old key.
@MainActor
@Suite(.bounded) struct RemappedKeysTests {
  private static let letters = Array("αβγδεζηθικλμνξοπρστυφχψω")

  /// Binds each action to two Greek letters, which differ between actions.
  private static func keys() throws -> String {
    let keymap = try Keymap.standard.get()
    var names: [Action: String] = [:]
    return keymap.bindings.map { binding in
      let index = names.count
      let name =
        names[binding.action] ?? "\(letters[index / letters.count])\(letters[index % letters.count])"
      names[binding.action] = name
      return "\(binding.context.rawValue)  \(binding.action.rawValue)  \(name)"
    }.joined(separator: "\n")
  }

  /// Keys that no keymap changes, by stop: answers to a question, separators of names, numbers of links and pictures.
  private static let fixed: [String: Set<String>] = [
    "question": ["y", "q", "n", "Esc"], "recipient": [","], "links": ["1…3", "1", "2", "3"], "prompt": [":"],
    "prompt with a note": [":"],
    // Text fields undo typing with ^_.
    "reply": ["^_"], "entry with a warning": ["^_"],
  ]
  /// Texts in the style of keys that name no key: counts, marks, and examples for the search.
  private static let noKeys: Set<String> = ["●", "›", "/", "alice", "@bob@example.org"]

  /// The texts in the style of keys.
  private func keyTexts(_ screen: Screen) -> [String] {
    guard let grid = screen.driver.frames.last?.grid else { return [] }
    let style = screen.application.window.theme[.key]
    return (0..<grid.size.rows).flatMap { row in
      grid.row(row).split { $0.style != style }.flatMap { run in
        run.map(\.text).joined().split(separator: " ").map(String.init)
      }
    }
  }

  private func isNew(_ name: String) -> Bool { name.contains { Self.letters.contains($0) } }

  @Test func `no screen names an old key`() async throws {
    let (screen, _) = try await ScreenTour.start(rows: 40, columns: 120, keys: try Self.keys())
    #expect(screen.text.contains { Self.letters.contains($0) }, "\(screen.text)")
    // One letter, digit or sign can be an ordinary word. These are found by their style.
    let old = Set(
      try Keymap.standard.get().bindings.flatMap { $0.sequences.flatMap { $0 } }.map { Keymap.name(of: [$0]) }
        .filter { $0.count > 1 }
    ).subtracting(["Home", "End", "Space"])
    func oldNames(in text: String) -> [String] {
      text.split { $0.isWhitespace || ".,;:·()".contains($0) }.map(String.init).filter(old.contains)
    }
    for binding in try Keymap.standard.get().bindings {
      #expect(oldNames(in: binding.summary).isEmpty, "\(binding.context.rawValue) \(binding.action.rawValue)")
    }
    for stop in ScreenTour.stops {
      await stop.visit(screen)
      let fixed = Self.noKeys.union(Self.fixed[stop.name] ?? [])
      // The selection's bar has the colour of keys.
      let keys = keyTexts(screen).filter { !isNew($0) && !"•▌".contains($0.prefix(1)) && !fixed.contains($0) }
      #expect(keys.isEmpty, "\(stop.name): \(keys)\n\(screen.text)")
      let names = oldNames(in: screen.text).filter { !fixed.contains($0) }
      #expect(names.isEmpty, "\(stop.name): \(names)\n\(screen.text)")
    }
  }
}
