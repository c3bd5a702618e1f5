/// A manual page in mdoc, the markup language of `man`.
///
/// Source: <https://mandoc.bsd.lv/man/mdoc.7.html>.
extension ManualPage {
  var source: String {
    var page = MdocText()
    page.begin(self)
    for block in blocks {
      switch block {
      case .heading(let heading): page.add(heading: heading)
      case .subheading(let heading): page.add(subheading: heading)
      case .forms(let forms): page.add(forms: forms)
      case .text(let text): page.add(text)
      case .entries(let entries): page.add(entries)
      case .example(let lines): page.add(example: lines)
      case .references(let files): page.add(references: files)
      }
    }
    return page.source
  }
}

private struct MdocText {
  private(set) var source = ""

  mutating func begin(_ page: ManualPage) {
    source = """
      .Dd \(Self.date)
      .Dt \(page.name.uppercased()) \(page.section)
      .Os
      .Sh NAME
      .Nm \(page.name)
      .Nd \(Self.words(page.summary))

      """
  }

  mutating func add(heading: String) { source += ".Sh \(Self.escaped(heading.uppercased()))\n" }

  mutating func add(subheading: String) { source += ".Ss \(Self.words(subheading))\n" }

  /// In the synopsis, each `.Nm` begins a line.
  mutating func add(forms: [String]) {
    for form in forms {
      let words = form.split(separator: " ", maxSplits: 1)
      source += ".Nm \(words[0])\n" + (words.count > 1 ? Self.literal(words[1]) : "")
    }
  }

  mutating func add(_ text: String) {
    let paragraphs = text.split(separator: "\n\n").map { Self.line($0.split(whereSeparator: \.isNewline)) }
    guard !paragraphs.isEmpty else { return }
    // `.Pp` separates paragraphs. The first paragraph after a heading needs none.
    let mark = source.hasSuffix("\n.El\n") || !isAtHeading ? ".Pp\n" : ""
    source += mark + paragraphs.joined(separator: ".Pp\n")
  }

  mutating func add(_ entries: [ManualPage.Entry]) {
    let items = entries.map {
      ".It \(Self.words($0.term))\n" + Self.line($0.meaning.split(whereSeparator: \.isNewline))
    }
    source += ".Bl -tag -width Ds\n\(items.joined()).El\n"
  }

  mutating func add(example: String) {
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { Self.literal($0) }
    source += ".Bd -literal -offset indent\n\(lines.joined()).Ed\n"
  }

  mutating func add(references files: [String]) {
    let names = files.map { ".Xr \($0.dropLast(2)) \($0.suffix(1))" }
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
