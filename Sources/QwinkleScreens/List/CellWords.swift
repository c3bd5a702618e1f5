import PaneKit
import QwinkleModel
import SafeText
import Terminal

/// Converts the symbols and columns of cells to plain text for linear form, the output for screen readers.
enum CellWords {
  private struct Meaning {
    /// The noun for a number after the symbol, in singular and plural.
    var counted: (one: String, more: String)?
    /// The text if nothing follows the symbol.
    var alone = ""
    /// The text before other text.
    var before = ""
  }

  private static let meanings: [Character: Meaning] = [
    "↩": Meaning(counted: ("reply", "replies")),
    "↻": Meaning(counted: ("boost", "boosts"), alone: QwinkSign.boosts.word),
    "★": Meaning(counted: ("favourite", "favourites"), alone: QwinkSign.favourites.word),
    "❝": Meaning(counted: ("quote", "quotes"), before: "quote:"),
    "⚠": Meaning(alone: "warning:", before: "warning:"),
    "↗": Meaning(alone: "link:", before: "link:"),
    "›": Meaning(alone: "quote:", before: "quote:"),
    "◉": Meaning(alone: "your vote:", before: "your vote:"),
    "✓": Meaning(alone: "verified", before: "verified"),
    "▣": Meaning(counted: ("attachment", "attachments"), alone: QwinkSign.attachments.word),
    "◔": Meaning(alone: QwinkSign.poll.word), "○": Meaning(),
  ]
  /// Words for the symbols next to a qwink. A symbol is replaced only if no other text follows it.
  private static let signWords = Dictionary(uniqueKeysWithValues: QwinkSign.allCases.map { ($0.rawValue, $0.word) })
  /// The roles of runs that contain symbols. User-written text has other roles.
  private static let signRoles: Set<StyleRole> = [.dim, .accent, .warning, .new, .error]
  private static let avatarRoles = Set(StyleRole.avatars)

  /// Returns the lines of a cell as text. Each line's trailing runs follow its other runs.
  static func lines(_ lines: [CellLine]) -> [String] {
    lines.map { line in
      let words = [self.line(line.runs)] + parts(of: line.trailing)
      return words.filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  static func lines(_ paragraphs: [[TextRun<StyleRole>]]) -> [String] {
    paragraphs.map { line($0) }
  }

  /// Returns runs as one line, with single spaces between the parts.
  static func line(_ runs: [TextRun<StyleRole>]) -> String {
    parts(of: runs).joined(separator: " ")
  }

  /// Converts runs to text and splits the text at two or more spaces. Omits avatars.
  private static func parts(of runs: [TextRun<StyleRole>]) -> [String] {
    let text = runs.filter { !avatarRoles.contains($0.attribute) }.map { words(of: $0) }.joined()
    return text.split(separator: "  ").map { $0.trimmed() }.filter { !$0.isEmpty }
  }

  private static func words(of run: TextRun<StyleRole>) -> String {
    guard signRoles.contains(run.attribute) else { return run.text }
    return run.text.split(separator: "  ", omittingEmptySubsequences: false)
      .map { words(of: $0, isMine: run.attribute == .accent, isNew: run.attribute == .new) }.joined(separator: "  ")
  }

  /// Converts `piece`, a part of a run, and retains the spaces at its ends.
  private static func words(of piece: Substring, isMine: Bool, isNew: Bool) -> String {
    let core = piece.drop { $0 == " " }
    guard let sign = core.first else { return String(piece) }
    let start = String(piece.prefix(piece.count - core.count))
    let end = core.last == " " ? " " : ""
    // A bullet whose role isn't `.new` marks a list item.
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
