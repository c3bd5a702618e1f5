/// The prompt's lines in this run, and the position in them.
struct PromptHistory: Hashable, Sendable {
  private static let maximumLines = 200

  private(set) var lines: [String] = []
  /// The index of the line shown; the count of lines at the line being typed.
  private var place = 0
  /// The line being typed before going back.
  private var unfinished = ""

  /// Adds a line as the newest, removes its duplicate, and moves behind it.
  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.maximumLines { lines.removeFirst(lines.count - Self.maximumLines) }
    rewind()
  }

  /// Moves behind the newest line.
  mutating func rewind() {
    place = lines.count
    unfinished = ""
  }

  /// The previous line; nil if there is none. `text` is the line shown.
  mutating func earlier(than text: String) -> String? {
    guard place > 0 else { return nil }
    if place == lines.count { unfinished = text }
    place -= 1
    return lines[place]
  }

  /// The next line; at the end, the line that was being typed.
  mutating func later() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place == lines.count ? unfinished : lines[place]
  }
}
