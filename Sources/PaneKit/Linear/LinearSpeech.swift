import Terminal

/// Accumulates lines to append to the terminal's output.
struct LinearSpeech {
  private static let minimumColumns = 20

  private var text = ""
  private var isAtLineStart = true
  private var columns = Self.minimumColumns
  /// Whether ``say(_:)`` added text after the last call to ``write(_:)``.
  private(set) var hasSpoken = false

  /// Starts a new text whose lines leave the last of the `columns` columns empty.
  mutating func begin(columns: Int) {
    text = ""
    // On some terminals, a full line would be followed by an empty one.
    self.columns = max(Self.minimumColumns, columns - 1)
  }

  /// Adds `lines`, wrapped to the terminal's width.
  mutating func say(_ lines: [String]) {
    for line in lines.map(\.namingKeys) where !line.isEmpty {
      startLine()
      for row in TextLayout.wrap([TextRun(line, StyleRole.text)], columns: columns) {
        text += row.map(\.text).joined() + "\n"
      }
      hasSpoken = true
    }
  }

  /// Adds a newline if the current line is incomplete.
  mutating func startLine() {
    if !isAtLineStart { text += "\n" }
    isAtLineStart = true
  }

  /// Adds text to the current line.
  mutating func write(_ words: String) {
    hasSpoken = false
    guard let last = words.last else { return }
    text += words
    isAtLineStart = last.isNewline
  }

  /// Returns the accumulated text and clears it.
  mutating func take() -> String {
    defer { text = "" }
    return text
  }
}
