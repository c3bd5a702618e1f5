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

  /// - Parameters:
  ///   - versions: The versions in the server's order, oldest first.
  ///   - cover: The notice shown in place of all versions, if any.
  static func paragraphs(
    _ versions: [QwinkVersion], of qwink: Qwink, under cover: Disclosure.Cover? = nil, zone: ClockZone, columns: Int
  ) -> Lines {
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
      lines += index == 0 ? first(version) : changes(from: versions[index - 1], to: version)
    }
    return lines
  }

  static func summary(edits count: Int) -> String {
    count < 1 ? "Not edited." : "Edited \(count == 1 ? "once" : "\(count) times")."
  }

  private static func first(_ version: QwinkVersion) -> Lines {
    var lines: Lines = []
    if !version.contentWarning.isEmpty { lines.append([TextRun("⚠ \(version.contentWarning)", .warning)]) }
    lines += version.text.runs
    if !version.attachments.isEmpty {
      lines.append([TextRun("▣ \(AttachmentWords.summary(of: version.attachments))", .dim)])
    }
    return lines
  }

  private static func changes(from old: QwinkVersion, to new: QwinkVersion) -> Lines {
    var lines: Lines = []
    if old.contentWarning != new.contentWarning {
      lines += [[TextRun("⚠ ", .warning)] + runs(from: old.contentWarning, to: new.contentWarning)]
    }
    if old.text.plainText != new.text.plainText {
      lines += [runs(from: old.text.plainText, to: new.text.plainText)]
    }
    if old.attachments != new.attachments {
      let (before, after) = (AttachmentWords.summary(of: old.attachments), AttachmentWords.summary(of: new.attachments))
      lines += [[TextRun("▣ ", .dim)] + runs(from: before, to: after)]
    }
    if old.isSensitive != new.isSensitive, old.contentWarning == new.contentWarning {
      lines.append([
        TextRun(new.isSensitive ? "Now marked as sensitive" : "No longer marked as sensitive", .dim)
      ])
    }
    return lines.isEmpty ? [[TextRun("Same text", .dim)]] : lines
  }

  /// Marks removed words with `[-…-]` and added words with `[+…+]`, so that they can be distinguished without colours.
  private static func runs(from old: String, to new: String) -> [TextRun<StyleRole>] {
    WordDiff.pieces(from: old, to: new).map { piece in
      switch piece.kind {
      case .unchanged: TextRun(piece.text, .text)
      case .removed: TextRun("[-\(piece.text)-]", .removed)
      case .added: TextRun("[+\(piece.text)+]", .added)
      }
    }
  }
}
