/// A manual page in mdoc, the language of `man`.
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

  /// The name of its file: `qwinkle.1`.
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

  /// A section: `DESCRIPTION`.
  mutating func add(heading: String) { source += ".Sh \(Self.escaped(heading.uppercased()))\n" }

  /// A part of a section.
  mutating func add(subheading: String) { source += ".Ss \(Self.words(subheading))\n" }

  /// Paragraphs, with an empty line between them.
  mutating func add(_ text: String) {
    let paragraphs = text.split(separator: "\n\n").map { Self.line($0.split(whereSeparator: \.isNewline)) }
    guard !paragraphs.isEmpty else { return }
    // A section's first paragraph needs no mark, and takes none.
    let mark = source.hasSuffix("\n.El\n") || !isAtHeading ? ".Pp\n" : ""
    source += mark + paragraphs.joined(separator: ".Pp\n")
  }

  /// A list of terms with their meanings.
  mutating func add(_ entries: [Entry]) {
    guard !entries.isEmpty else { return }
    let items = entries.map {
      ".It \(Self.words($0.term))\n" + Self.line($0.meaning.split(whereSeparator: \.isNewline))
    }
    source += ".Bl -tag -width Ds\n\(items.joined()).El\n"
  }

  /// Lines as they are, such as those of a shell.
  mutating func add(example: String) {
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { Self.literal($0) }
    source += ".Bd -literal -offset indent\n\(lines.joined()).Ed\n"
  }

  /// Other pages, by their files.
  mutating func add(seeAlso files: [String]) {
    add(heading: "See also")
    let names = files.sorted { ($0.suffix(1), $0) < ($1.suffix(1), $1) }.map { file in
      ".Xr \(file.dropLast(2)) \(file.suffix(1))"
    }
    source += names.joined(separator: " ,\n") + "\n"
  }

  /// The day of the version that it describes, as in the change log.
  private static let date = "November 23, 2026"

  private var isAtHeading: Bool {
    guard let last = source.split(separator: "\n").last else { return true }
    return last.hasPrefix(".Sh") || last.hasPrefix(".Ss")
  }

  // MARK: Text

  /// The longest line of text, in bytes: so plain text is no wider than 80 columns.
  private static let mostBytes = 72

  /// Text, each sentence on lines of its own, as the language asks. Nothing in it is taken for a request.
  private static func line(_ parts: [Substring]) -> String {
    let sentences = parts.joined(separator: " ").replacing(". ", with: ".\n").split(separator: "\n")
    return sentences.flatMap(folded).map { literal($0[...]) }.joined()
  }

  /// A sentence in short lines, which end at a single space.
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

  /// A line as it is.
  private static func literal(_ line: Substring) -> String {
    let text = escaped(line)
    return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
  }

  /// The words of a macro's line. None is taken for a macro.
  private static func words(_ text: String) -> String {
    text.split(separator: " ").map { word in
      let quoted = escaped(word).replacing("\"", with: "\\(dq")
      return "\\&\(quoted)"
    }.joined(separator: " ")
  }

  /// A minus sign is what one types; a hyphen would be another character.
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
