import Foundation
import Terminal

/// Breaks lines between words, for terminals.
enum WrappedText {
  /// Width limit, because longer lines are hard to read.
  private static let mostColumns = 100
  /// Minimum columns for text after the indent. A line with less room isn't wrapped.
  private static let fewestColumns = 8
  /// Markers that start lines of lists, links, attachments and the like. Continuation lines are indented by the
  /// marker's width.
  private static let signs = "•→↗▣○◉⚠↻▶"

  /// Columns for text on the terminal at `descriptor`. Nil if it isn't a terminal.
  static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(Int(size.ws_col), mostColumns)
  }

  /// Wraps `text` to at most `columns` columns. Continuation lines have the indent of the first. A URL that is longer
  /// than a line or contains non-ASCII characters stays whole on a separate line, so that it can be copied and opened.
  static func wrapped(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { lines(of: $0, columns: columns).joined(separator: "\n") }.joined(separator: "\n")
  }

  private static func lines(of line: Substring, columns: Int) -> [String] {
    // Only a line with more bytes than columns needs measuring, because each column takes at least one byte.
    guard line.utf8.count > columns, DisplayWidth.columns(of: line, form: .unicode) > columns else {
      return [String(line)]
    }
    let (first, others) = indents(of: line)
    let room = columns - DisplayWidth.columns(of: first, form: .unicode)
    guard room >= fewestColumns else { return [String(line)] }
    var lines: [String] = []
    var running: [Substring] = []
    func endRun() {
      let text = running.joined(separator: " ")
      running = []
      guard text.contains(where: { $0 != " " }) else { return }
      lines += TextLayout.wrap([TextRun(text, false)], columns: room, form: .unicode).map { runs in
        runs.map(\.text).joined()
      }
    }
    for word in line.dropFirst(first.count).split(separator: " ", omittingEmptySubsequences: false) {
      if isWhole(word, columns: room) {
        endRun()
        lines.append(String(word))
      } else if !word.isEmpty || !running.isEmpty {
        running.append(word)
      }
    }
    endRun()
    return lines.enumerated().map { ($0 == 0 ? first : others) + $1 }
  }

  /// Whether `word` contains a URL that wrapping might break: it is too long, or has non-ASCII characters, between
  /// which lines can break.
  private static func isWhole(_ word: Substring, columns: Int) -> Bool {
    word.contains("://") && (word.utf8.count > columns || !word.utf8.allSatisfy { $0 < 0x80 })
  }

  /// Returns the prefix of `line`, and an equally wide prefix for its continuation lines.
  private static func indents(of line: Substring) -> (first: String, others: String) {
    var first = String(line.prefix { $0 == " " })
    var others = first
    while line.dropFirst(first.count).hasPrefix("› ") {
      first += "› "
      others += "› "
    }
    let sign = line.dropFirst(first.count).prefix { $0 != " " }
    let isNumber = sign.last == "." && (2...4).contains(sign.count) && sign.dropLast().allSatisfy(\.isNumber)
    if isNumber || sign.count == 1 && signs.contains(sign) {
      first += sign + " "
      others += String(repeating: " ", count: sign.count + 1)
    }
    return (first, others)
  }
}
