import SafeText
import Terminal

/// Reads the commands of one tape in order.
struct TapeCommandReader {
  /// A step, or another tape to read at this position.
  enum Command {
    case step(TapeStep, text: String)
    case source(String, TapePlace)
  }

  var scanner: TapeScanner
  private let file: String
  let faults: [String]?
  private var notes: [TapeNote] = []

  init(_ text: String, file: String, faults: [String]?) {
    scanner = TapeScanner(text)
    self.file = file
    self.faults = faults
  }

  var place: TapePlace { place(of: scanner.mark) }

  func place(of mark: TapeScanner.Mark) -> TapePlace {
    TapePlace(file: file, line: mark.line, column: mark.column)
  }

  /// Moves to the next command. Returns false at the end of the tape.
  mutating func moveToCommand() -> Bool {
    scanner.skipToCommand()
    return scanner.next != nil
  }

  mutating func skipLine() {
    scanner.skipLine()
  }

  mutating func takeNotes() -> [TapeNote] {
    defer { notes = [] }
    return notes
  }

  mutating func note(_ sentence: String, at place: TapePlace) {
    notes.append(TapeNote(place: place, sentence: sentence))
  }

  /// Reads the command at the current position.
  mutating func readCommand() throws(TapeError) -> Command {
    let start = scanner.mark
    let word = scanner.takeWord()
    guard !word.isEmpty else {
      let rest = scanner.takeBare()
      let found = rest.isEmpty ? scanner.next.map { String(Character($0)) } ?? "" : rest
      throw error(
        at: start, "\(TapeError.quoted(found)) is not a command. A command starts with a word such as Type or Enter.")
    }
    guard TapeWords.commands.contains(word) else {
      let hint = TapeWords.hint(for: word, among: TapeWords.commands)
      throw error(at: start, "\(TapeError.quoted(word)) is not a command.\(hint)")
    }
    if word == "Source" {
      let (path, mark) = try takeArgument("Source needs a tape: Source login.tape.")
      guard path.hasSuffix(".tape") else {
        throw error(at: mark, "\(TapeError.quoted(path)) is not a tape. Source needs a .tape file.")
      }
      return .source(path, place(of: mark))
    }
    let step = try readStep(word, from: start)
    let lines = scanner.text(from: start).split { $0 == "\n" }.map { line in
      String(line.trimmed { $0 == " " || $0 == "\t" })
    }
    return .step(step, text: lines.joined(separator: " "))
  }

  private mutating func readStep(_ word: String, from start: TapeScanner.Mark) throws(TapeError) -> TapeStep {
    if let code = TapeKeys.codes[word] {
      return .press(try readPress([TapeKeys.key(code, with: [])]))
    }
    if let modifiers = TapeKeys.modifiers[word] {
      return .press(try readPress(try readChord(word, modifiers)))
    }
    switch word {
    case "ScrollUp", "ScrollDown":
      let press = try readPress([])
      return .scroll(word == "ScrollUp" ? .wheelUp : .wheelDown, count: press.count, interval: press.interval)
    case "Type":
      let interval = try readInterval()
      return .type(try takeText("Type needs a text: Type \"hello\"."), interval: interval)
    case "Sleep": return .sleep(try takeTime("Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5."))
    case "Wait": return .wait(try readWait())
    case "Set": return .set(try readSetting(from: start))
    case "Hide": return .hide
    case "Show": return .show
    case "Require": return .require(try takeArgument("Require needs a program: Require git.").text)
    case "Env": return try readEnvironment()
    case "Output": return .output(try readOutput(from: start))
    case "Screenshot": return .screenshot(try readScreenshot(from: start))
    case "Copy": return .copy(try takeText("Copy needs a text: Copy \"hello\"."))
    case "Paste": return .paste
    default: return try readBeyond(word)
    }
  }

  // MARK: Shared pieces

  func error(at mark: TapeScanner.Mark, _ sentence: String) -> TapeError {
    TapeError(place: place(of: mark), sentence: sentence)
  }

  func error(_ fault: TapeScanner.Fault) -> TapeError {
    error(at: fault.mark, fault.sentence)
  }

  /// Moves to the next piece of the command, such as a word or a quoted text, and returns its first scalar. If the
  /// command has ended, throws an error with the message `expected`.
  mutating func moveToPiece(_ expected: String) throws(TapeError) -> Unicode.Scalar {
    let start = scanner.mark
    if let next = scanner.moveToPiece() { return next }
    throw error(at: start, expected)
  }

  mutating func takeQuoted() throws(TapeError) -> String {
    do throws(TapeScanner.Fault) { return try scanner.takeQuoted() } catch { throw self.error(error) }
  }

  /// Reads a word or quoted text, and returns it with its position. A command name is rejected unless it is quoted.
  mutating func takeArgument(_ expected: String) throws(TapeError) -> (text: String, mark: TapeScanner.Mark) {
    let next = try moveToPiece(expected)
    let mark = scanner.mark
    if TapeScanner.isQuote(next) {
      let text = try takeQuoted()
      guard !text.isEmpty else { throw error(at: mark, expected) }
      return (text, mark)
    }
    let text = scanner.takeBare()
    guard !TapeWords.commands.contains(text) else {
      throw error(at: mark, "\(expected) \(text) is a command; quote it to use it as text.")
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }) else {
      throw error(at: mark, "\(TapeError.quoted(text)) contains a control character. \(expected)")
    }
    return (text, mark)
  }

  /// Reads one or more texts and joins them with spaces. Each text is quoted, or is a word that isn't a command name.
  mutating func takeText(_ expected: String) throws(TapeError) -> String {
    var texts: [String] = []
    while true {
      let start = scanner.mark
      guard let next = scanner.moveToPiece() else { break }
      let mark = scanner.mark
      if TapeScanner.isQuote(next) {
        texts.append(try takeQuoted())
        continue
      }
      let word = Self.beginsBareText(next) ? scanner.takeBare() : ""
      if word.isEmpty || TapeWords.commands.contains(word) {
        guard texts.isEmpty else {
          scanner.goBack(to: start)
          break
        }
        let found = word.isEmpty ? scanner.takeBare() : word
        throw error(at: mark, "\(expected) \(TapeError.quoted(found)) must be in quotes.")
      }
      texts.append(word)
    }
    guard !texts.isEmpty else { throw error(at: scanner.mark, expected) }
    return texts.joined(separator: " ")
  }

  private static func beginsBareText(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || [".", "$", "_", "~"].contains(scalar)
      || (!scalar.isASCII && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control)
  }

  /// Reads a pattern, `/…/`. Throws if the next piece is anything else.
  mutating func takePattern(_ expected: String) throws(TapeError) -> TapePattern {
    let next = try moveToPiece(expected)
    guard next == "/" else {
      let mark = scanner.mark
      let found = TapeScanner.isQuote(next) ? try takeQuoted() : scanner.takeBare()
      throw error(at: mark, "\(TapeError.quoted(found)) is not a pattern. \(expected)")
    }
    let mark = scanner.mark
    let source: String
    do throws(TapeScanner.Fault) { source = try scanner.takeExpression() } catch { throw self.error(error) }
    return try pattern(source, at: mark)
  }

  func pattern(_ source: String, at mark: TapeScanner.Mark) throws(TapeError) -> TapePattern {
    do throws(TapePatternError) {
      return try TapePattern(source)
    } catch {
      throw self.error(
        at: mark, "\(TapeError.quoted("/\(source)/")) is not a pattern: \(TapeError.clean(error.reason)).")
    }
  }

  /// Reads `@` and a time, if present.
  mutating func readInterval() throws(TapeError) -> Duration? {
    guard scanner.take("@") else { return nil }
    return try takeTime("@ needs a time: 500ms, 2s, 0.5.")
  }

  /// Reads a whole number, if present.
  mutating func readCount(upTo most: Int) throws(TapeError) -> Int? {
    let start = scanner.mark
    guard let next = scanner.moveToPiece(), TapeScanner.isDigit(next) else {
      scanner.goBack(to: start)
      return nil
    }
    let mark = scanner.mark
    let text = scanner.takeBare()
    guard let number = Int(text), number <= most else {
      throw error(at: mark, "\(TapeError.quoted(text)) is not a number from 0 to \(most).")
    }
    return number
  }

  /// Reads the rest of a command that presses `keys`: an optional `@time` and an optional count.
  mutating func readPress(_ keys: [Key]) throws(TapeError) -> TapePress {
    let interval = try readInterval()
    return TapePress(keys: keys, count: try readCount(upTo: 10_000) ?? 1, interval: interval)
  }

  /// Reads the rest of a chord after `Ctrl`, `Alt` or `Shift`: more modifiers, then one or more keys.
  private mutating func readChord(_ word: String, _ first: Key.Modifiers) throws(TapeError) -> [Key] {
    let expected = "\(word) needs a key: \(word)+x, \(word)+Enter, Ctrl+Alt+Shift+x."
    var modifiers = first
    var keys: [Key] = []
    while scanner.take("+") {
      let next = try moveToPiece(expected)
      let mark = scanner.mark
      guard keys.count < 10 else { throw error(at: mark, "More than 10 keys. Split them into several commands.") }
      if next.isASCII, next.properties.isAlphabetic || TapeScanner.isDigit(next) {
        let name = scanner.takeName()
        if let modifier = TapeKeys.modifiers[name] {
          guard keys.isEmpty else { throw error(at: mark, "\(name) must come before the key.") }
          modifiers.insert(modifier)
          continue
        }
        if name.count == 1, let character = name.first {
          keys.append(TapeKeys.key(.character(character), with: modifiers))
          continue
        }
        guard let code = TapeKeys.codes[name] else {
          let hint = TapeWords.hint(for: name, among: TapeKeys.codes.keys)
          throw error(at: mark, "\(TapeError.quoted(name)) is not a key.\(hint)")
        }
        keys.append(TapeKeys.key(code, with: modifiers))
        continue
      }
      let text: String
      if TapeScanner.isQuote(next) {
        text = try takeQuoted()
      } else {
        let start = scanner.mark
        scanner.skip()
        // A non-ASCII character may consist of several scalars, such as a letter and combining marks.
        while let more = scanner.next, !more.isASCII, !next.isASCII { scanner.skip() }
        text = scanner.text(from: start)
      }
      guard text.count == 1, let character = text.first, character != "\t", !character.isNewline,
        text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
      else { throw error(at: mark, "\(TapeError.quoted(text)) is not a key. \(expected)") }
      keys.append(TapeKeys.key(.character(character), with: modifiers))
    }
    guard !keys.isEmpty else { throw error(at: scanner.mark, expected) }
    return keys
  }
}
