import FoundationEssentials
import Terminal

/// VHS commands with special grammar.
extension TapeCommandReader {
  mutating func readWait() throws(TapeError) -> TapeWait {
    var wait = TapeWait()
    if scanner.take("+") {
      let start = scanner.mark
      switch scanner.takeName() {
      case "Line": wait.scope = .line
      case "Screen": wait.scope = .screen
      default: throw error(at: start, "After Wait+ comes Line or Screen.")
      }
    }
    let start = scanner.mark
    wait.timeout = try readInterval()
    if wait.timeout == .zero { throw error(at: start, "Wait needs a time above 0.") }
    let end = scanner.mark
    if scanner.moveToPiece() == "/" {
      wait.pattern = try takePattern("Wait needs a pattern: Wait /done/.")
    } else {
      scanner.goBack(to: end)
    }
    return wait
  }

  mutating func readEnvironment() throws(TapeError) -> TapeStep {
    let (name, mark) = try takeArgument("Env needs a name and a value: Env LANG \"C.UTF-8\".")
    let isName = name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F }
    guard isName, name.first?.isNumber == false else {
      throw error(at: mark, "\(TapeError.quoted(name)) is not a variable name: letters, digits and _.")
    }
    let next = try moveToPiece("Env \(name) needs a value: Env \(name) \"value\".")
    // A quoted value may be empty.
    let value = TapeScanner.isQuote(next) ? try takeQuoted() : try takeArgument("Env \(name) needs a value.").text
    return .environment(name: name, value: value)
  }

  mutating func readOutput(from start: TapeScanner.Mark) throws(TapeError) -> String {
    let (path, mark) = try takeArgument("Output needs a file: Output login.cast.")
    switch Self.ending(of: path) {
    case "":
      guard path.hasSuffix("/") else {
        throw error(
          at: mark,
          "\(TapeError.quoted(path)) has no extension. Output needs one, such as .cast or .svg; a folder ends in /.")
      }
      note("Output \(TapeError.quoted(path)) has no effect: Qwinkle records no frames.", at: place(of: start))
    case "gif", "mp4", "webm", "png":
      note("Output \(TapeError.quoted(path)) has no effect: Qwinkle records no frames.", at: place(of: start))
    default: break
    }
    return path
  }

  mutating func readScreenshot(from start: TapeScanner.Mark) throws(TapeError) -> String {
    let expected = "Screenshot needs a file that ends in .svg, .txt or .png."
    let (path, mark) = try takeArgument(expected)
    switch Self.ending(of: path) {
    case "svg", "txt": break
    case "png":
      note(
        "Screenshot \(TapeError.quoted(path)) has no effect: a screen has cells, not pixels; use .svg.",
        at: place(of: start))
    default: throw error(at: mark, "\(TapeError.quoted(path)) is not supported. \(expected)")
    }
    return path
  }

  /// Returns the file extension, or an empty string.
  private static func ending(of path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return String(name[name.index(after: dot)...])
  }

  // MARK: Settings

  mutating func readSetting(from start: TapeScanner.Mark) throws(TapeError) -> TapeSetting {
    let expected = "Set needs a setting: Set TypingSpeed 50ms."
    _ = try moveToPiece(expected)
    let mark = scanner.mark
    let word = scanner.takeWord()
    guard let name = TapeSettingName(rawValue: word) else {
      guard !word.isEmpty else { throw error(at: mark, expected) }
      let hint = TapeWords.hint(for: word, among: TapeSettingName.allCases.map(\.rawValue))
      throw error(at: mark, "\(TapeError.quoted(word)) is not a setting.\(hint)")
    }
    switch name {
    case .typingSpeed: return .typingSpeed(try takeTime("Set TypingSpeed needs a time: 50ms, 0.1."))
    case .waitTimeout: return .waitTimeout(try takeTime("Set WaitTimeout needs a time: 15s, 1m."))
    case .waitPattern: return .waitPattern(try readWaitPattern())
    case .playbackSpeed:
      let (text, mark) = try takeNumber("Set PlaybackSpeed needs a number: 0.5, 1.0, 2.")
      guard let speed = Double(text), speed > 0, speed <= 1000 else {
        throw error(at: mark, "\(TapeError.quoted(text)) is not a speed. It must be above 0 and at most 1000.")
      }
      return .playbackSpeed(speed)
    case .welcome: return .welcome(try readSwitch(of: name))
    case .accounts:
      let (text, _) = try takeArgument("Set Accounts needs names: Set Accounts \"nils ann\".")
      return .accounts(text.split(separator: " ").map(String.init))
    case .cellSize: return .cellSize(try readCellSize())
    case .background:
      let expected = "Set Background needs light or dark."
      let (text, mark) = try takeArgument(expected)
      guard let background = TerminalBackground(rawValue: text) else {
        throw error(at: mark, "\(TapeError.quoted(text)) is neither. \(expected)")
      }
      return .background(background)
    case .signedIn: return .signedIn(try readSwitch(of: name))
    default:
      let value = try readValue(of: name)
      note("Set \(word) has no effect: \(name.reasonForNoEffect ?? "").", at: place(of: start))
      return .withoutEffect(name, value)
    }
  }

  private mutating func readCellSize() throws(TapeError) -> CellSize {
    let expected = "Set CellSize needs pixels: Set CellSize 8x16."
    let (text, mark) = try takeArgument(expected)
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      let size = CellSize(width: width, height: height)
    else { throw error(at: mark, "\(TapeError.quoted(text)) is not the size of a cell. \(expected)") }
    return size
  }

  private mutating func readSwitch(of name: TapeSettingName) throws(TapeError) -> Bool {
    let expected = "Set \(name.rawValue) needs on or off."
    let (text, mark) = try takeArgument(expected)
    guard text == "on" || text == "off" else {
      throw error(at: mark, "\(TapeError.quoted(text)) is neither. \(expected)")
    }
    return text == "on"
  }

  private mutating func readWaitPattern() throws(TapeError) -> TapePattern {
    let expected = "Set WaitPattern needs a pattern: Set WaitPattern /done/."
    let next = try moveToPiece(expected)
    guard TapeScanner.isQuote(next) else { return try takePattern(expected) }
    let mark = scanner.mark
    return try pattern(try takeQuoted(), at: mark)
  }

  /// Reads the value of a setting that has no effect in Qwinkle. Validates the value as VHS does.
  private mutating func readValue(of name: TapeSettingName) throws(TapeError) -> String {
    let word = name.rawValue
    switch name {
    case .theme:
      let expected = "Set Theme needs a name or a JSON object."
      guard try moveToPiece(expected) == "{" else { return try takeArgument(expected).text }
      do throws(TapeScanner.Fault) { return try scanner.takeObject() } catch { throw self.error(error) }
    case .shell, .fontFamily:
      return try takeArgument("Set \(word) needs a name.").text
    case .marginFill:
      let (text, mark) = try takeArgument("Set MarginFill needs a colour in quotes or a file: \"#674EFF\".")
      let isColour =
        text.utf8.count == 7 && text.utf8.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      guard isColour || !text.hasPrefix("#") else {
        throw error(at: mark, "\(TapeError.quoted(text)) is not a colour. Use six hex digits: \"#674EFF\".")
      }
      return text
    case .windowBar:
      let kinds = ["Colorful", "ColorfulRight", "Rings", "RingsRight"]
      let expected = "Set WindowBar needs \(kinds.joined(separator: ", ")) or \"\"."
      let isQuoted = TapeScanner.isQuote(try moveToPiece(expected))
      let mark = scanner.mark
      let text = isQuoted ? try takeQuoted() : scanner.takeBare()
      guard kinds.contains(text) || isQuoted && text.isEmpty else {
        throw error(at: mark, "\(TapeError.quoted(text)) is not a window bar. \(expected)")
      }
      return text
    case .cursorBlink:
      let (text, mark) = try takeArgument("Set CursorBlink needs true or false.")
      guard text == "true" || text == "false" else {
        throw error(at: mark, "\(TapeError.quoted(text)) is neither true nor false.")
      }
      return text
    default:
      let (text, _) = try takeNumber("Set \(word) needs a number.", units: name == .loopOffset ? ["%"] : ["px", "em"])
      return text
    }
  }

  /// Reads a number, which may be quoted, and returns it with its position. A unit from `units` is removed.
  private mutating func takeNumber(
    _ expected: String, units: [String] = []
  ) throws(TapeError) -> (text: String, mark: TapeScanner.Mark) {
    let (text, mark) = try takeArgument(expected)
    var number = Substring(text)
    if let unit = units.first(where: { text.hasSuffix($0) }) {
      number = number.dropLast(unit.count)
    } else {
      // Blanks may precede the unit.
      let end = scanner.mark
      scanner.skipBlanks()
      if !units.contains(scanner.takeBare()) { scanner.goBack(to: end) }
    }
    let isNumber = number.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
    guard isNumber, number.utf8.count <= 20, Double(number.first == "." ? "0\(number)" : String(number)) != nil else {
      throw error(at: mark, "\(TapeError.quoted(text)) is not a number. \(expected)")
    }
    return (String(number), mark)
  }
}
