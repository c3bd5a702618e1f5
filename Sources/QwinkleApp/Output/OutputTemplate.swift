/// A template of `--format`, such as `{author}\t{text}`. `{{` is a brace, `\t` a tab, `\n` a line break and `\\` a
/// backslash.
struct OutputTemplate: Hashable {
  /// A sentence for the user.
  struct Problem: Error, Hashable {
    let sentence: String
  }

  private enum Part: Hashable {
    case text(String)
    case field(String)
  }

  private var parts: [Part] = []

  /// Parses a template that may contain `fields`.
  init(_ template: String, fields: [String]) throws(Problem) {
    var text = ""
    var rest = Substring(template)
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        switch rest.first {
        case "t": text.append("\t")
        case "n": text.append("\n")
        case "\\": text.append("\\")
        default:
          text.append("\\")
          continue
        }
        rest.removeFirst()
      case "{" where rest.first == "{":
        rest.removeFirst()
        text.append("{")
      case "}" where rest.first == "}":
        rest.removeFirst()
        text.append("}")
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw Problem(sentence: "--format has a { without }. Write {{ for a brace.")
        }
        let name = String(rest[..<end])
        guard fields.contains(name) else {
          throw Problem(
            sentence: "--format has no field {\(name)}. Fields: \(fields.map { "{\($0)}" }.joined(separator: ", ")).")
        }
        parts += [.text(text), .field(name)]
        text = ""
        rest = rest[rest.index(after: end)...]
      default: text.append(character)
      }
    }
    parts.append(.text(text))
  }

  /// Returns the text with `value` of each field. Fields have no line breaks, so that each item has the lines of the
  /// template.
  func filled(by value: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name):
        value(name).split(omittingEmptySubsequences: false) { $0.isNewline || $0 == "\t" }.joined(separator: " ")
      }
    }.joined()
  }
}
