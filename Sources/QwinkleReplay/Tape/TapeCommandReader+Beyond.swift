import FoundationEssentials
import Terminal

/// Commands that VHS doesn't have.
extension TapeCommandReader {
  /// Maximum rows or columns of a screen.
  private static let greatestSide = 1000
  /// Maximum number of posts in one `Serve` command.
  private static let greatestCount = 1000
  private static let greatestPictureCount = 4

  mutating func readBeyond(_ word: String) throws(TapeError) -> TapeStep {
    switch word {
    case "Resize": return .resize(try readSize())
    case "Mouse": return .mouse(try readMouse())
    case "Signal": return .signal(try readSignal())
    case "Advance": return .advance(try takeTime("Advance needs a time: Advance 5m."))
    case "Expect": return try readExpectation()
    case "Refuse": return .refuse(try takePattern("Refuse needs a pattern: Refuse /error/."))
    case "Snapshot": return .snapshot(try readSnapshot(), rows: try readRows())
    case "Counters": return .counters(try readBounds())
    case "Net": return .net(try readNet())
    case "Clock": return .clock(try readClock())
    case "Seed": return try readSeed()
    case "Kill": return .kill
    case "Start": return .start(try readStart())
    case "Write": return try readWrite()
    default: return .serve(try readServe())
    }
  }

  private mutating func readWrite() throws(TapeError) -> TapeStep {
    let expected = "Write needs a file and a line: Write config.toml \"density = 'compact'\"."
    let (file, mark) = try takeArgument(expected)
    guard !file.contains("/"), !file.hasPrefix(".") else {
      throw error(at: mark, "\(TapeError.quoted(file)) is not the name of a file. \(expected)")
    }
    return .write(file: file, text: try takeText(expected))
  }

  private mutating func readSize() throws(TapeError) -> Size {
    let expected = "Resize needs columns and rows: Resize 80x24."
    let (text, mark) = try takeArgument(expected)
    return try size(text, at: mark, expected)
  }

  private func size(_ text: String, at mark: TapeScanner.Mark, _ expected: String) throws(TapeError) -> Size {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let columns = sides[0], let rows = sides[1] else {
      throw error(at: mark, "\(TapeError.quoted(text)) is not a size. \(expected)")
    }
    guard (1...Self.greatestSide).contains(columns), (1...Self.greatestSide).contains(rows) else {
      let range = "Columns and rows must be from 1 to \(Self.greatestSide)."
      throw error(at: mark, "\(TapeError.quoted(text)) is not a size. \(range)")
    }
    return Size(rows: rows, columns: columns)
  }

  /// Reads the next option of a command that takes several. Returns nil if the command has ended.
  private mutating func takeOption() -> (text: String, mark: TapeScanner.Mark)? {
    let start = scanner.mark
    guard scanner.moveToPiece() != nil else { return nil }
    let mark = scanner.mark
    let text = scanner.takeBare()
    guard !TapeWords.commands.contains(text.prefix { $0 != "@" && $0 != "+" }.description) else {
      scanner.goBack(to: start)
      return nil
    }
    return (text, mark)
  }

  /// Reads the options of `Start`, in any order: a size, `fresh` and `unseen`.
  private mutating func readStart() throws(TapeError) -> TapeStart {
    let expected =
      "Start takes a size, fresh (doesn't restore the last screen) and unseen (killed before its first frame)."
    var start = TapeStart()
    while let (text, mark) = takeOption() {
      switch text {
      case "fresh": start.isFresh = true
      case "unseen": start.isUnseen = true
      default: start.size = try size(text, at: mark, expected)
      }
    }
    return start
  }

  private mutating func readMouse() throws(TapeError) -> MouseEvent {
    let kinds: [String: MouseEvent.Kind] = [
      "press": .press, "drag": .drag, "release": .release, "wheelup": .wheelUp, "wheeldown": .wheelDown,
    ]
    let expected =
      "Mouse needs an event (press, drag, release, wheelup, wheeldown), a row and a column: Mouse press 3 10."
    let (word, mark) = try takeArgument(expected)
    guard let kind = kinds[word] else {
      throw error(at: mark, "\(TapeError.quoted(word)) is not a mouse event. \(expected)")
    }
    let row = try readOrdinal("Mouse \(word) needs a row and a column, counted from 1.")
    let column = try readOrdinal("Mouse \(word) needs a column, counted from 1.")
    return MouseEvent(kind, at: Point(row: row - 1, column: column - 1))
  }

  /// Reads the number of a row, column or line, counted from 1.
  private mutating func readOrdinal(_ expected: String) throws(TapeError) -> Int {
    _ = try moveToPiece(expected)
    let mark = scanner.mark
    guard let number = try readCount(upTo: Self.greatestSide), number > 0 else { throw error(at: mark, expected) }
    return number
  }

  private mutating func readSignal() throws(TapeError) -> TapeSignal {
    let names = TapeSignal.allCases.map(\.rawValue)
    let (name, mark) = try takeArgument("Signal needs a name: Signal TERM.")
    guard let signal = TapeSignal(name: name) else {
      throw error(
        at: mark,
        "\(TapeError.quoted(name)) is not a signal that can be sent. Signals: \(names.joined(separator: ", ")).")
    }
    return signal
  }

  private mutating func readExpectation() throws(TapeError) -> TapeStep {
    var line: Int?
    if scanner.take("+") {
      let start = scanner.mark
      guard scanner.takeName() == "Line" else { throw error(at: start, "After Expect+ comes Line.") }
      line = try readOrdinal("Expect+Line needs a line, counted from 1: Expect+Line 1 /Home/.")
    }
    return .expect(try takePattern("Expect needs a pattern: Expect /Home/."), line: line)
  }

  private mutating func readSnapshot() throws(TapeError) -> String {
    let expected = "Snapshot needs a name of letters, digits, - and _: Snapshot after-login."
    let (name, mark) = try takeArgument(expected)
    guard SnapshotStore.isName(name) else {
      throw error(at: mark, "\(TapeError.quoted(name)) is not a valid name. \(expected)")
    }
    return name
  }

  /// Reads `rows 16-22` or `rows 16`. If neither is present, returns ``TapeRows/content``.
  private mutating func readRows() throws(TapeError) -> TapeRows {
    let start = scanner.mark
    _ = scanner.moveToPiece()
    guard scanner.takeWord() == "rows" else {
      scanner.goBack(to: start)
      return .content
    }
    let expected = "rows needs a row or a range of rows, counted from 1: Snapshot after-login rows 16-22."
    let (text, mark) = try takeArgument(expected)
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 1, first <= last,
      last <= Self.greatestSide
    else { throw error(at: mark, "\(TapeError.quoted(text)) is not a row range. \(expected)") }
    return .range(first...last)
  }

  /// Reads bounds such as `bytes<=300`, each at most once. Without bounds, the command only restarts counting.
  private mutating func readBounds() throws(TapeError) -> TapeBounds {
    let words = TapeBounds.Counter.allCases.map(\.rawValue)
    let expected = "Counters takes bounds of \(words.joined(separator: ", ")): Counters bytes<=300 writes<=1."
    var bounds = TapeBounds()
    while let (text, mark) = takeOption() {
      guard let sign = text.firstRange(of: "<="), let most = Int(text[sign.upperBound...]), most >= 0 else {
        throw error(at: mark, "\(TapeError.quoted(text)) is not a bound. \(expected)")
      }
      let word = String(text[..<sign.lowerBound])
      guard let counter = TapeBounds.Counter(rawValue: word) else {
        let hint = TapeWords.hint(for: word, among: words)
        throw error(at: mark, "\(TapeError.quoted(word)) is not a counter. \(expected)\(hint)")
      }
      guard bounds.most.updateValue(most, forKey: counter) == nil else {
        throw error(at: mark, "\(word) already has a bound.")
      }
    }
    return bounds
  }

  private mutating func readNet() throws(TapeError) -> String {
    let (name, mark) = try takeArgument("Net needs the name of a fault.")
    if let faults, !faults.contains(name) {
      throw error(
        at: mark,
        "\(TapeError.quoted(name)) is not a network condition. Conditions: \(faults.joined(separator: ", ")).")
    }
    return name
  }

  private mutating func readClock() throws(TapeError) -> Date {
    let expected = "Clock needs a date and time: Clock 2026-03-01T09:30:00Z."
    let (text, mark) = try takeArgument(expected)
    guard let date = TapeMoment.date(text) else {
      throw error(at: mark, "\(TapeError.quoted(text)) is not a date and time. \(expected)")
    }
    return date
  }

  private mutating func readSeed() throws(TapeError) -> TapeStep {
    let expected = "Seed needs a whole number, 0 or greater: Seed 7."
    let (text, mark) = try takeArgument(expected)
    guard UInt64(text) != nil else { throw error(at: mark, "\(TapeError.quoted(text)) is not a seed. \(expected)") }
    return .seed
  }

  private mutating func readServe() throws(TapeError) -> TapeServe {
    let (name, nameMark) = try takeArgument("Serve needs a user and an action: Serve bob posts \"hello\".")
    let isName = name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F }
    guard isName else {
      throw error(
        at: nameMark, "\(TapeError.quoted(name)) is not a user name. It must consist of letters, digits and _.")
    }
    let words = TapeServe.Action.words.joined(separator: ", ")
    let (word, mark) = try takeArgument("Serve \(name) needs an action: \(words).")
    switch word {
    case "posts":
      let text = try takeServedText(name, word)
      return TapeServe(name, .posts(text, count: max(1, try readCount(upTo: Self.greatestCount) ?? 1)))
    case "warns":
      let expected = "Serve \(name) warns needs a warning and a text: \"Frost\" \"The basil is gone.\"."
      let warning = try takeArgument(expected).text
      return TapeServe(name, .warns(warning, try takeText(expected)))
    case "shows", "veils":
      let expected = "Serve \(name) \(word) needs a text and a description: \"My leeks\" \"A bed of leeks\"."
      let text = try takeArgument(expected).text
      let description = try takeText(expected)
      let count = max(1, try readCount(upTo: Self.greatestPictureCount) ?? 1)
      return TapeServe(name, .shows(text, description, count: count, isSensitive: word == "veils"))
    case "messages": return TapeServe(name, .messages(try takeServedText(name, word)))
    case "follows": return TapeServe(name, .follows)
    case "boosts": return TapeServe(name, .boosts(try takeServedPattern(name, word)))
    case "favourites": return TapeServe(name, .favourites(try takeServedPattern(name, word)))
    case "answers":
      let pattern = try takeServedPattern(name, word)
      return TapeServe(
        name,
        .answers(
          pattern, try takeText("Serve \(name) answers needs a text after the pattern: /hello/ \"hello to you\".")))
    case "quotes":
      let pattern = try takeServedPattern(name, word)
      return TapeServe(
        name,
        .quotes(pattern, try takeText("Serve \(name) quotes needs a text after the pattern: /hello/ \"Well said.\".")))
    case "edits":
      let pattern = try takeServedPattern(name, word)
      return TapeServe(
        name,
        .edits(pattern, try takeText("Serve \(name) edits needs a text after the pattern: /hello/ \"hello all\".")))
    case "revokes": return TapeServe(name, .revokes)
    case "describes": return TapeServe(name, .describes(try takeServedText(name, word)))
    default:
      let hint = TapeWords.hint(for: word, among: TapeServe.Action.words)
      throw error(at: mark, "\(TapeError.quoted(word)) is not an action of Serve. Actions: \(words).\(hint)")
    }
  }

  private mutating func takeServedText(_ name: String, _ word: String) throws(TapeError) -> String {
    try takeText("Serve \(name) \(word) needs a text: Serve \(name) \(word) \"hello\".")
  }

  private mutating func takeServedPattern(_ name: String, _ word: String) throws(TapeError) -> TapePattern {
    try takePattern("Serve \(name) \(word) needs a pattern: Serve \(name) \(word) /hello/.")
  }
}
