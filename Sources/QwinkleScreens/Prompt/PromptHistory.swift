/// The lines entered at the prompt since the program started, and the position in them.
struct PromptHistory: Hashable, Sendable {
  private static let maximumLines = 200

  private(set) var lines: [String] = []
  /// The index of the visible line. Equals `lines.count` at the line being typed.
  private var place = 0
  /// The line being typed before the user went back.
  private var unfinished = ""

  /// Appends a line, removes its duplicate, and moves past the end.
  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.maximumLines { lines.removeFirst(lines.count - Self.maximumLines) }
    rewind()
  }

  /// Moves past the newest line.
  mutating func rewind() {
    place = lines.count
    unfinished = ""
  }

  /// Returns the previous line, if any. `text` is the visible line.
  mutating func earlier(than text: String) -> String? {
    guard place > 0 else { return nil }
    if place == lines.count { unfinished = text }
    place -= 1
    return lines[place]
  }

  /// Returns the next line, or at the end the line being typed.
  mutating func later() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place == lines.count ? unfinished : lines[place]
  }
}
