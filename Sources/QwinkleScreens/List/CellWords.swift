import PaneKit
import QwinkleModel
import SafeText
import Terminal

/// Makes words of what cells show with signs and columns, for terminals to which text is only appended.
enum CellWords {
  /// What a sign stands for.
  private struct Meaning {
    /// What the number behind it counts: one, and several.
    var counted: (one: String, more: String)?
    /// What it says where nothing follows.
    var alone = ""
    /// What it says before other words.
    var before = ""
  }

  private static let meanings: [Character: Meaning] = [
    "↩": Meaning(counted: ("reply", "replies")),
    "↻": Meaning(counted: ("boost", "boosts"), alone: QwinkSign.boosts.word),
    "★": Meaning(counted: ("favourite", "favourites"), alone: QwinkSign.favourites.word),
    "⚠": Meaning(alone: "warning:", before: "warning:"),
    "↗": Meaning(alone: "link:", before: "link:"),
    "›": Meaning(alone: "quote:", before: "quote:"),
    "◉": Meaning(alone: "your vote:", before: "your vote:"),
    "✓": Meaning(alone: "verified"),
    "▣": Meaning(counted: ("attachment", "attachments"), alone: QwinkSign.attachments.word),
    "◔": Meaning(alone: QwinkSign.poll.word), "○": Meaning(),
  ]
  /// Signs beside a qwink, which mean something only where they stand alone.
  private static let signWords = Dictionary(uniqueKeysWithValues: QwinkSign.allCases.map { ($0.rawValue, $0.word) })
  /// Where signs stand. What people wrote has other roles.
  private static let signRoles: Set<StyleRole> = [.dim, .accent, .warning, .new, .error]
  private static let avatarRoles = Set(StyleRole.avatars)

  /// The lines of a cell, what stands at their right behind the rest.
  static func lines(_ lines: [CellLine]) -> [String] {
    lines.map { line in
      let words = [self.line(line.runs)] + parts(of: line.trailing)
      return words.filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  /// Paragraphs, a line each.
  static func lines(_ paragraphs: [[TextRun<StyleRole>]]) -> [String] {
    paragraphs.map { line($0) }
  }

  /// Runs as one line, with one space between two things.
  static func line(_ runs: [TextRun<StyleRole>]) -> String {
    parts(of: runs).joined(separator: " ")
  }

  /// What two spaces or more stand between.
  private static func parts(of runs: [TextRun<StyleRole>]) -> [String] {
    let text = runs.filter { !avatarRoles.contains($0.attribute) }.map { words(of: $0) }.joined()
    return text.split(separator: "  ").map { $0.trimmed() }.filter { !$0.isEmpty }
  }

  private static func words(of run: TextRun<StyleRole>) -> String {
    guard signRoles.contains(run.attribute) else { return run.text }
    return run.text.split(separator: "  ", omittingEmptySubsequences: false)
      .map { words(of: $0, isMine: run.attribute == .accent, isNew: run.attribute == .new) }.joined(separator: "  ")
  }

  /// A piece of a run, with the spaces that it has at its ends.
  private static func words(of piece: Substring, isMine: Bool, isNew: Bool) -> String {
    let core = piece.drop { $0 == " " }
    guard let sign = core.first else { return String(piece) }
    let start = String(piece.prefix(piece.count - core.count))
    let end = core.last == " " ? " " : ""
    // Dim, it is the sign of a list.
    if sign == "•", isNew { return "\(start)unread:\(core.dropFirst())" }
    let bare = core.trimmed()
    if meanings[sign] == nil, let word = signWords[bare] { return start + word + end }
    guard let meaning = meanings[sign] else { return String(piece) }
    let rest = core.dropFirst().trimmed()
    if rest.isEmpty { return start + meaning.alone + end }
    if let counted = meaning.counted, let count = Int(rest) {
      return start + Counted.words(count, counted.one, counted.more) + (isMine ? " including yours" : "") + end
    }
    return start + (meaning.before.isEmpty ? rest : "\(meaning.before) \(rest)") + end
  }
}
