/// A manual page in mdoc, the markup language of `man`.
///
/// Source: <https://mandoc.bsd.lv/man/mdoc.7.html>.
struct ManualPage {
  /// A term, such as an option or a key, and its meaning.
  struct Entry: Hashable {
    var term: String
    var meaning: String
  }

  let name: String
  /// 1 for commands, 5 for files, 8 for servers.
  let section: Int
  private(set) var source: String

  /// File name, such as `qwinkle.1`.
  var file: String { "\(name).\(section)" }

  init(_ name: String, _ section: Int, summary: String) {
    self.name = name
    self.section = section
    source = """
      .Dd \(Self.date)
      .Dt \(name.uppercased()) \(section)
      .Os
      .Sh NAME
      .Nm \(name)
      .Nd \(Self.words(summary))

      """
  }

  /// Starts a section, such as `DESCRIPTION`.
  mutating func add(heading: String) { source += ".Sh \(Self.escaped(heading.uppercased()))\n" }

  /// Starts a subsection.
  mutating func add(subheading: String) { source += ".Ss \(Self.words(subheading))\n" }

  /// Adds paragraphs. Empty lines in `text` separate them.
  mutating func add(_ text: String) {
    let paragraphs = text.split(separator: "\n\n").map { Self.line($0.split(whereSeparator: \.isNewline)) }
    guard !paragraphs.isEmpty else { return }
    // `.Pp` separates paragraphs. The first paragraph after a heading needs none.
    let mark = source.hasSuffix("\n.El\n") || !isAtHeading ? ".Pp\n" : ""
    source += mark + paragraphs.joined(separator: ".Pp\n")
  }

  /// Adds a list of terms and their meanings.
  mutating func add(_ entries: [Entry]) {
    guard !entries.isEmpty else { return }
    let items = entries.map {
      ".It \(Self.words($0.term))\n" + Self.line($0.meaning.split(whereSeparator: \.isNewline))
    }
    source += ".Bl -tag -width Ds\n\(items.joined()).El\n"
  }

  /// Adds lines verbatim, such as shell commands.
  mutating func add(example: String) {
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { Self.literal($0) }
    source += ".Bd -literal -offset indent\n\(lines.joined()).Ed\n"
  }

  /// Adds references to other pages, given by their file names.
  mutating func add(seeAlso files: [String]) {
    add(heading: "See also")
    let names = files.sorted { ($0.suffix(1), $0) < ($1.suffix(1), $1) }.map { file in
      ".Xr \(file.dropLast(2)) \(file.suffix(1))"
    }
    source += names.joined(separator: " ,\n") + "\n"
  }

  /// Release date of the documented version, as in the change log.
  private static let date = "November 23, 2026"

  private var isAtHeading: Bool {
    guard let last = source.split(separator: "\n").last else { return true }
    return last.hasPrefix(".Sh") || last.hasPrefix(".Ss")
  }

  // MARK: Text

  /// Length limit of a line of text, in bytes. Keeps the plain-text page within 80 columns.
  private static let mostBytes = 72

  /// Joins `parts` and starts each sentence on a new line, as mdoc recommends. Escapes lines that `man` would parse as
  /// requests.
  private static func line(_ parts: [Substring]) -> String {
    let sentences = parts.joined(separator: " ").replacing(". ", with: ".\n").split(separator: "\n")
    return sentences.flatMap(folded).map { literal($0[...]) }.joined()
  }

  /// Folds a sentence into short lines. Breaks only at single spaces.
  private static func folded(_ sentence: Substring) -> [String] {
    var lines: [String] = []
    var room = 0
    var spaces = 1
    for word in sentence.split(separator: " ", omittingEmptySubsequences: false) {
      guard !word.isEmpty else {
        spaces += 1
        continue
      }
      let size = escaped(word).utf8.count
      if spaces > 1 || size < room, let last = lines.popLast() {
        lines.append(last + String(repeating: " ", count: spaces) + word)
        room -= size + spaces
      } else {
        lines.append(String(word))
        room = mostBytes - size
      }
      spaces = 1
    }
    return lines
  }

  /// Escapes a line of text so that `man` prints it verbatim.
  private static func literal(_ line: Substring) -> String {
    let text = escaped(line)
    return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
  }

  /// Escapes the arguments of a macro, so that no word is parsed as a macro.
  private static func words(_ text: String) -> String {
    text.split(separator: " ").map { word in
      let quoted = escaped(word).replacing("\"", with: "\\(dq")
      return "\\&\(quoted)"
    }.joined(separator: " ")
  }

  /// Escapes characters that `man` may print differently. For example, it may print another dash for `-`. The escape
  /// `\-` prints the ASCII character that users type.
  private static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "'": escaped += "\\(aq"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
