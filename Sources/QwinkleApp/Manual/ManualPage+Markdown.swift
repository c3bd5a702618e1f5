/// A manual page in Markdown, for reading in a browser.
extension ManualPage {
  /// The page, without its references to other pages.
  var markdown: String {
    var paragraphs = [
      "# \(file.dropLast(2))(\(section))", Self.markdown(summary.prefix(1).uppercased() + summary.dropFirst() + "."),
    ]
    for block in blocks where block != .heading("See also") {
      switch block {
      case .heading(let heading): paragraphs.append("## \(Self.markdown(heading))")
      case .subheading(let heading): paragraphs.append("### \(Self.markdown(heading))")
      case .forms(let forms): paragraphs.append("```\n\(forms.joined(separator: "\n"))\n```")
      case .text(let text):
        paragraphs += text.split(separator: "\n\n").map { Self.markdown($0.replacing("\n", with: " ")) }
      case .entries(let entries): paragraphs.append(Self.table(entries))
      case .example(let lines): paragraphs.append("```\n\(lines)\n```")
      case .references: break
      }
    }
    return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static func table(_ entries: [Entry]) -> String {
    let rows = entries.map { "| \(code($0.term)) | \(markdown($0.meaning.replacing("\n", with: " "))) |" }
    return (["| | |", "|---|---|"] + rows).joined(separator: "\n")
  }

  /// Returns a code span for a table cell, in which `|` separates cells even within code.
  private static func code(_ text: String) -> String {
    let marks = text.contains("`") ? "``" : "`"
    let space = text.contains("`") ? " " : ""
    return marks + space + text.replacing("|", with: "\\|") + space + marks
  }

  /// Escapes characters that are markup.
  private static func markdown(_ text: some StringProtocol) -> String {
    var escaped = ""
    for character in text {
      if "\\`*_<[]|#".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
