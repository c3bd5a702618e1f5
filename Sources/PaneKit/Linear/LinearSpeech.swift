import Terminal

/// Lines that are put together to be appended to what a terminal shows.
struct LinearSpeech {
  private static let minimumColumns = 20

  private var text = ""
  private var isAtLineStart = true
  private var columns = Self.minimumColumns
  /// Whether other things were said since ``write(_:)``.
  private(set) var hasSpoken = false

  /// Begins anew, for lines of at most so many columns.
  mutating func begin(columns: Int) {
    text = ""
    // A full line would have some terminals begin another.
    self.columns = max(Self.minimumColumns, columns - 1)
  }

  /// Says `lines`, each on its own.
  mutating func say(_ lines: [String]) {
    for line in lines.map(\.namingKeys) where !line.isEmpty {
      startLine()
      for row in TextLayout.wrap([TextRun(line, StyleRole.text)], columns: columns) {
        text += row.map(\.text).joined() + "\n"
      }
      hasSpoken = true
    }
  }

  /// Ends a line that has begun.
  mutating func startLine() {
    if !isAtLineStart { text += "\n" }
    isAtLineStart = true
  }

  /// Goes on where the last one ended.
  mutating func write(_ words: String) {
    hasSpoken = false
    guard let last = words.last else { return }
    text += words
    isAtLineStart = last.isNewline
  }

  /// What has been put together.
  mutating func take() -> String {
    defer { text = "" }
    return text
  }
}
