/// The lines of the prompt in this run, and a way through them.
struct PromptHistory: Hashable, Sendable {
  private static let maximumLines = 200

  private(set) var lines: [String] = []
  /// Where in the lines one is; their count: at what is being typed.
  private var place = 0
  /// What was being typed before one went back.
  private var unfinished = ""

  /// Takes a line in, newest last, each once, and stands behind it.
  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.maximumLines { lines.removeFirst(lines.count - Self.maximumLines) }
    rewind()
  }

  /// Stands behind the newest line.
  mutating func rewind() {
    place = lines.count
    unfinished = ""
  }

  /// The line before the one shown, which is `text`; nil where there is none.
  mutating func earlier(than text: String) -> String? {
    guard place > 0 else { return nil }
    if place == lines.count { unfinished = text }
    place -= 1
    return lines[place]
  }

  /// The line after it; at the end what was being typed.
  mutating func later() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place == lines.count ? unfinished : lines[place]
  }
}
