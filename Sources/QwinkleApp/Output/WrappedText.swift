import Foundation
import Terminal

/// Text for a terminal, with lines that end between words.
enum WrappedText {
  /// Longer lines are hard to read.
  private static let mostColumns = 100
  /// An indent that leaves less room than this is not worth keeping.
  private static let fewestColumns = 8
  /// What lines of lists, links, attachments and the like begin with; their other lines stand behind it.
  private static let signs = "•→↗▣○◉⚠↻▶"

  /// Columns for text on the terminal at `descriptor`; nil if it is no terminal.
  static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(Int(size.ws_col), mostColumns)
  }

  /// `text` with lines of at most `columns` columns. The rest of a line has its indent. An address that is longer stays
  /// whole on a line of its own, so that it can be copied and opened.
  static func wrapped(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { lines(of: $0, columns: columns).joined(separator: "\n") }.joined(separator: "\n")
  }

  private static func lines(of line: Substring, columns: Int) -> [String] {
    // A column takes a byte at least.
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

  /// Whether `word` has an address that would be broken.
  private static func isWhole(_ word: Substring, columns: Int) -> Bool {
    word.contains("://") && (word.utf8.count > columns || !word.utf8.allSatisfy { $0 < 0x80 })
  }

  /// What `line` begins with, and what its other lines begin with instead: as wide.
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
