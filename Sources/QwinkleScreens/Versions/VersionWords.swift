import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// Formats an edit history: the newest version first, each with its changes.
enum VersionWords {
  typealias Lines = [[TextRun<StyleRole>]]

  static let title = "Edit history"
  static let fetching = "Fetching the edit history…"
  static let none = "This server keeps no edit history."
  static let original = "original"

  static func edit(_ number: Int, of count: Int) -> String { "edit \(number) of \(count)" }

  /// - Parameter cover: The notice shown in place of all versions, if any.
  static func paragraphs(
    _ history: EditHistory, of qwink: Qwink, under cover: Disclosure.Cover? = nil, zone: ClockZone, columns: Int
  ) -> Lines {
    let versions = history.versions
    var lines: Lines = [
      NameAndHandle(qwink.author).runs(columns: columns),
      [TextRun(summary(edits: versions.count - 1), .dim)],
    ]
    if let cover {
      let hint = [TextRun("  ", StyleRole.key)] + WarningWords.hint(isRevealed: false)
      return lines + [[], [TextRun("⚠ \(cover.words)", .warning)] + hint]
    }
    if versions.count > 1 {
      lines.append(
        [TextRun("[-removed-]", .removed), TextRun("  ", .dim), TextRun("[+added+]", .added)])
    }
    for index in versions.indices.reversed() {
      let version = versions[index]
      let name = index == 0 ? original : edit(index, of: versions.count - 1)
      lines += [[], [TextRun(RelativeTime.full(version.createdAt, in: zone), .accent), TextRun("  \(name)", .dim)]]
      lines += history.bodies[index]
    }
    return lines
  }

  static func summary(edits count: Int) -> String {
    count < 1 ? "Not edited." : "Edited \(count == 1 ? "once" : "\(count) times")."
  }
}
