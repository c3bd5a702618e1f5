public import FoundationEssentials
public import Terminal

/// Writes a tape of user input: keys, pastes, mouse events and sizes, with the pauses between them.
public struct TapeWriter: Sendable {
  /// Minimum length of a pause. Shorter pauses are part of typing.
  private static let leastPause = Duration.milliseconds(300)

  /// Lines that later events can't change.
  private var lines: [String]
  private var typed = ""
  private var lastTime: Duration?

  /// Begins a tape at `start` on a terminal of `size`.
  public init(size: Size, start: Date) {
    lines = [
      "# Played by qwinkle replay.", "Clock \(Self.moment(start))", "Resize \(size.columns)x\(size.rows)",
      "Set TypingSpeed 20ms",
    ]
  }

  /// The tape so far.
  public var text: String {
    var writer = self
    writer.endTyping()
    return writer.lines.joined(separator: "\n") + "\n"
  }

  /// Number of lines that later events can't change.
  public var settledCount: Int { lines.count }

  /// Returns the settled lines, except the first `known` of them, and the commands for the text that the user is still
  /// typing. Later events don't change the settled lines but may change the commands for the typed text.
  public func part(after known: Int) -> (settled: String, typed: String) {
    var writer = self
    writer.endTyping()
    func text(_ lines: ArraySlice<String>) -> String { lines.map { $0 + "\n" }.joined() }
    return (text(lines.dropFirst(known)), text(writer.lines.dropFirst(lines.count)))
  }

  /// Adds an event `time` after the start.
  public mutating func add(_ event: TerminalEvent, at time: Duration) {
    guard let line = Self.line(for: event) else { return }
    if let lastTime, time - lastTime >= Self.leastPause {
      endTyping()
      lines.append("Sleep \(Int((time - lastTime) / .milliseconds(1)))ms")
    }
    lastTime = time
    if case .key(let key) = event, let character = key.typedCharacter, Self.isPlain(character) {
      typed.append(character)
    } else {
      endTyping()
      lines.append(line)
    }
  }

  private mutating func endTyping() {
    guard !typed.isEmpty else { return }
    // A text can't contain the quotation mark that encloses it. A text with all three marks needs several commands.
    var rest = Substring(typed)
    typed = ""
    while !rest.isEmpty {
      let quote =
        ["\"", "'", "`"].max { Self.length(of: rest, before: $0) < Self.length(of: rest, before: $1) } ?? "\""
      let count = Self.length(of: rest, before: quote)
      lines.append("Type \(quote)\(rest.prefix(count))\(quote)")
      rest = rest.dropFirst(count)
    }
  }

  private static func length(of text: Substring, before quote: String) -> Int {
    text.prefix { String($0) != quote }.count
  }

  private static func isPlain(_ character: Character) -> Bool {
    !character.isNewline && character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  private static func line(for event: TerminalEvent) -> String? {
    switch event {
    case .key(let key): word(for: key)
    case .paste(let text): "Copy \(quoted(text))\nPaste"
    case .resize(let size): "Resize \(size.columns)x\(size.rows)"
    case .mouse(let event): mouse(event)
    case .pasteStalls, .capabilities, .hangup: nil
    }
  }

  /// Quotes text on one line. Replaces line ends and backticks, which can't be quoted, with spaces.
  private static func quoted(_ text: String) -> String {
    let line = text.map { $0.isNewline || $0 == "`" ? " " : String($0) }.joined()
    return "`\(line)`"
  }

  private static func mouse(_ event: MouseEvent) -> String {
    let kind =
      switch event.kind {
      case .press: "press"
      case .drag: "drag"
      case .release: "release"
      case .wheelUp: "wheelup"
      case .wheelDown: "wheeldown"
      }
    return "Mouse \(kind) \(event.point.row + 1) \(event.point.column + 1)"
  }

  private static func word(for key: Key) -> String? {
    var prefix = ""
    if key.modifiers.contains(.control) { prefix += "Ctrl+" }
    if key.modifiers.contains(.meta) { prefix += "Alt+" }
    if case .character(let character) = key.code {
      if character == " ", prefix.isEmpty { return "Space" }
      guard let scalar = character.unicodeScalars.first, isPlain(character) else { return nil }
      if prefix.isEmpty { return "Type \"\(character)\"" }
      return scalar == " " ? prefix + "Space" : prefix + String(character)
    }
    if key.modifiers.contains(.shift) { prefix += "Shift+" }
    if case .function(let number) = key.code { return number <= 12 ? prefix + "F\(number)" : nil }
    return TapeKeys.codes.first { $0.value == key.code }.map { prefix + $0.key }
  }

  /// Formats a date for `Clock`, in UTC.
  private static func moment(_ date: Date) -> String {
    date.formatted(.iso8601)
  }
}
