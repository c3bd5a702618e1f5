/// Parses tapes: VHS's language (github.com/charmbracelet/vhs) with additions.
///
/// A command is a word and its arguments. A line can have several commands. As in VHS, arguments can continue on the
/// next line unless that line begins with a letter, because a letter begins a command. Words are case-sensitive.
public enum TapeParser {
  /// Maximum length of a tape, in UTF-8 bytes.
  public static let greatestLength = 1 << 20
  /// Maximum number of commands, including sourced tapes.
  public static let mostCommands = 50_000
  /// Maximum nesting of sourced tapes.
  public static let greatestDepth = 8

  /// Parses a whole tape. If there are errors, throws up to ``TapeErrors/most`` of them, not only the first.
  ///
  /// - Parameter text: The file's content, with invalid UTF-8 already replaced.
  /// - Parameter name: The file's name, for errors.
  /// - Parameter faults: The valid names for `Net`; nil to accept any name.
  /// - Parameter source: Returns the text of a tape named by `Source`, given its path as written. An error that it
  ///   throws is reported at the position of that path.
  public static func parse(
    _ text: String, name: String = "tape", faults: [String]? = nil, source: (String) throws -> String
  ) throws(TapeErrors) -> Tape {
    var reading = TapeReading(faults: faults)
    reading.read(text, of: name, within: [], source: source)
    guard reading.errors.isEmpty else { throw TapeErrors(errors: reading.errors) }
    return Tape(name: name, commands: reading.commands, notes: reading.notes)
  }
}

/// The state of parsing a tape and its sourced tapes.
struct TapeReading {
  let faults: [String]?
  private(set) var commands: [TapeCommand] = []
  private(set) var notes: [TapeNote] = []
  private(set) var errors: [TapeError] = []
  private var isFull = false

  init(faults: [String]?) {
    self.faults = faults
  }

  /// Reads the tape `file`, which is sourced by the tapes `outer`, outermost first.
  mutating func read(_ text: String, of file: String, within outer: [String], source: (String) throws -> String) {
    guard text.utf8.count <= TapeParser.greatestLength else {
      return fail(
        TapePlace(file: file, line: 1, column: 1),
        "The tape is longer than \(TapeParser.greatestLength) bytes. Split it, and join the parts with Source.")
    }
    var reader = TapeCommandReader(text, file: file, faults: faults)
    while !isFull, reader.moveToCommand() {
      let place = reader.place
      do throws(TapeError) {
        switch try reader.readCommand() {
        case .step(let step, let text):
          append(TapeCommand(place: place, step: step, text: text), isSourced: !outer.isEmpty)
        case .source(let path, let place): include(path, at: place, within: outer + [file], source: source)
        }
        for note in reader.takeNotes() { notes.append(note) }
      } catch {
        fail(error.place, error.sentence)
        reader.skipLine()
      }
    }
  }

  private mutating func append(_ command: TapeCommand, isSourced: Bool) {
    guard commands.count < TapeParser.mostCommands else {
      fail(command.place, "More than \(TapeParser.mostCommands) commands, including sourced tapes.")
      isFull = true
      return
    }
    if isSourced, case .output(let path) = command.step {
      // As in VHS, only the outermost tape determines the output.
      notes.append(
        TapeNote(place: command.place, sentence: "Output \(TapeError.quoted(path)) has no effect in a sourced tape."))
      return
    }
    commands.append(command)
  }

  private mutating func include(
    _ path: String, at place: TapePlace, within outer: [String], source: (String) throws -> String
  ) {
    guard !outer.contains(path) else {
      return fail(
        place, "\(TapeError.quoted(path)) sources itself, via \(outer.map(TapeError.quoted).joined(separator: ", ")).")
    }
    guard outer.count <= TapeParser.greatestDepth else {
      return fail(place, "Tapes are nested more than \(TapeParser.greatestDepth) deep.")
    }
    let text: String
    do {
      text = try source(path)
    } catch {
      return fail(place, "Cannot read the tape \(TapeError.quoted(path)): \(TapeError.clean("\(error)"))")
    }
    includedLength += text.utf8.count
    guard includedLength <= 8 * TapeParser.greatestLength, includedCount < 1000 else {
      fail(place, "Too many sourced tapes.")
      isFull = true
      return
    }
    includedCount += 1
    read(text, of: path, within: outer, source: source)
  }

  /// Total length of the sourced tapes, in UTF-8 bytes. Limited because tapes that source other tapes several times
  /// could grow exponentially.
  private var includedLength = 0
  private var includedCount = 0

  private mutating func fail(_ place: TapePlace, _ sentence: String) {
    errors.append(TapeError(place: place, sentence: sentence))
    if errors.count == TapeErrors.most { isFull = true }
  }
}
