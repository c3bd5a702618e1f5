/// The lines entered at the prompt since the program started, and the position in them.
struct PromptHistory: Hashable, Sendable {
  private static let maximumLines = 200

  private(set) var lines: [String] = []
  /// The index of the visible line. Equals `lines.count` while the visible line is the one being typed.
  private var place = 0
  /// The line that the user was typing before going back in the history.
  private var unfinished = ""

  /// Appends a line, removes an earlier copy of it, and moves past the newest line.
  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.maximumLines { lines.removeFirst(lines.count - Self.maximumLines) }
    rewind()
  }

  /// Moves past the newest line, where the user types a new one.
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

  /// Returns the next line, or the unfinished line after the newest one. Returns nil after the unfinished line.
  mutating func later() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place == lines.count ? unfinished : lines[place]
  }
}
