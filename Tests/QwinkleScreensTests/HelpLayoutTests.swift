import PaneKit
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Layout of the help.
@MainActor
@Suite(.bounded) struct HelpLayoutTests {
  private static func parts() throws -> [HelpPart] {
    HelpPart.all(keymap: try Screen.keymap(), near: [.qwink, .list])
  }

  private static func texts(_ layout: HelpLayout) -> [String] { layout.lines.map { $0.map(\.text).joined() } }

  @Test func `the keys of the current context are first and the global ones last`() throws {
    let titles = try Self.parts().map(\.title)
    let nearest = [try Screen.helpHeading(of: .qwink), try Screen.helpHeading(of: .list)]
    #expect(Array(titles.prefix(2)) == nearest)
    #expect(titles.suffix(2) == [HelpWords.commands, HelpWords.always])
  }

  @Test(arguments: [(36, 1), (76, 1), (94, 1), (96, 2), (116, 2), (143, 2), (144, 3), (196, 3)])
  func `the help uses as many columns as fit`(columns: Int, count: Int) throws {
    let parts = try Self.parts()
    let lines = Self.texts(HelpLayout(parts, columns: columns))
    let alone = Self.texts(HelpLayout(parts, columns: columns / count - 2)).count
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
    #expect(Double(lines.count) < Double(alone) / Double(count) * 1.4)
    let titles = Set(parts.map(\.title))
    // A part begins in each column.
    let width = (columns + 3) / count
    for column in 0..<count {
      let there = lines.map { $0.dropFirst(column * width).prefix { $0 != "\n" } }
      #expect(there.contains { line in titles.contains { line.hasPrefix($0) } }, "nothing begins in column \(column)")
    }
  }

  @Test(arguments: [26, 36, 56, 76, 96, 116, 146, 196])
  func `each word of each entry is complete in its rows`(columns: Int) throws {
    let parts = try Self.parts()
    let layout = HelpLayout(parts, columns: columns)
    let texts = Self.texts(layout)
    let entries = parts.flatMap(\.entries)
    #expect(layout.places.count == entries.count)
    for (entry, rows) in zip(entries, layout.places) {
      let words = rows.flatMap { texts[$0].split(separator: " ") }
      for word in (entry.name + " " + entry.meaning).split(separator: " ") {
        #expect(words.contains(word), "\(word) of “\(entry.meaning)” is cut at \(columns) columns")
      }
    }
  }

  @Test(arguments: [56, 76, 96, 196])
  func `meanings of all parts are in one column`(columns: Int) {
    let parts = [
      HelpPart(title: "One", entries: [.init(name: "a", meaning: "first"), .init(name: "^F  PgDn", meaning: "page")]),
      HelpPart(title: "Two", entries: [.init(name: "c", meaning: "third")]),
      HelpPart(title: "Three", entries: [.init(name: String(repeating: "n", count: 17), meaning: "fourth")]),
    ]
    let layout = HelpLayout(parts, columns: columns)
    let meanings = layout.lines.joined().filter { ["first", "page", "third", "fourth"].contains($0.text) }
    #expect(meanings.count == 4)
    for (line, runs) in zip(Self.texts(layout), layout.lines) where runs.contains(where: { $0.text == "third" }) {
      #expect(line.contains("c         third"))
    }
  }

  @Test func `only the found entry is highlighted`() throws {
    let parts = [
      HelpPart(title: "One", entries: [.init(name: "a", meaning: "first"), .init(name: "b", meaning: "second")]),
      HelpPart(title: "Two", entries: [.init(name: "c", meaning: "third")]),
    ]
    let lit = HelpLayout(parts, columns: 60, found: 2).lines.map { line in
      line.filter { $0.attribute == .selectedLine }.map(\.text).joined()
    }
    #expect(lit == ["", "", "", "", "", "c  third"])
  }

  @Test func `symbols have a separate style`() {
    let part = HelpPart(title: "Signs", entries: [.init(name: "★", meaning: "favourite", role: .accent)])
    #expect(HelpLayout([part], columns: 60).lines.last?.first == TextRun("★", .accent))
  }
}
