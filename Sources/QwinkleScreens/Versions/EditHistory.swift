import PaneKit
import QwinkleModel
import Terminal

/// The versions of a qwink, oldest first, with the changes of each. Comparing texts takes time that grows with their
/// length times the number of changed words, so create a long history outside the main actor.
struct EditHistory: Sendable {
  let versions: [QwinkVersion]
  /// For each version, the lines below its heading: the text of the first version, the changes of the others.
  let bodies: [VersionWords.Lines]

  init(_ versions: [QwinkVersion] = []) {
    self.versions = versions
    bodies = versions.indices.map { index in
      index == 0 ? Self.first(versions[0]) : Self.changes(from: versions[index - 1], to: versions[index])
    }
  }

  /// Creates a history outside the caller's actor.
  @concurrent static func comparing(_ versions: [QwinkVersion]) async -> EditHistory { EditHistory(versions) }

  private static func first(_ version: QwinkVersion) -> VersionWords.Lines {
    var lines: VersionWords.Lines = []
    if !version.contentWarning.isEmpty { lines.append([TextRun("⚠ \(version.contentWarning)", .warning)]) }
    lines += version.text.runs
    if !version.attachments.isEmpty {
      lines.append([TextRun("▣ \(AttachmentWords.summary(of: version.attachments))", .dim)])
    }
    return lines
  }

  private static func changes(from old: QwinkVersion, to new: QwinkVersion) -> VersionWords.Lines {
    var lines: VersionWords.Lines = []
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
