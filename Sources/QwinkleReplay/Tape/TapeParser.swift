/// Reads tapes: VHS's language (github.com/charmbracelet/vhs) and what is added to it.
///
/// A command is a word and what belongs to it; several may stand on a line. As in VHS, what belongs to a command may go
/// on in the next line, unless that begins with a letter, as commands do. Words are case-sensitive.
public enum TapeParser {
  /// Longer tapes are refused; in UTF-8.
  public static let greatestLength = 1 << 20
  /// So many commands at most, with those of sourced tapes.
  public static let mostCommands = 50_000
  /// A tape may source another, and that another, so deep.
  public static let greatestDepth = 8

  /// Reads a whole tape, or tells everything that is wrong with it.
  ///
  /// - Parameters:
  ///   - text: what is in the file; what was no UTF-8 in it has been replaced.
  ///   - name: the file's name, for errors.
  ///   - faults: the names that `Net` takes; nil for any.
  ///   - source: gives the text of a tape that `Source` names, by its path as it is written. What it throws becomes an
  ///     error at that place.
  public static func parse(
    _ text: String, name: String = "tape", faults: [String]? = nil, source: (String) throws -> String
  ) throws(TapeErrors) -> Tape {
    var reading = TapeReading(faults: faults)
    reading.read(text, of: name, within: [], source: source)
    guard reading.errors.isEmpty else { throw TapeErrors(errors: reading.errors) }
    return Tape(name: name, commands: reading.commands, notes: reading.notes)
  }
}

/// What has been read of a tape and the tapes in it.
struct TapeReading {
  let faults: [String]?
  private(set) var commands: [TapeCommand] = []
  private(set) var notes: [TapeNote] = []
  private(set) var errors: [TapeError] = []
  private var isFull = false

  init(faults: [String]?) {
    self.faults = faults
  }

  /// Reads the tape `file`, which is sourced by the tapes `outer`, the first of them the outermost.
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
        case .step(let step, let text): append(TapeCommand(step, at: place, text: text), isSourced: !outer.isEmpty)
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
      fail(command.place, "There are more than \(TapeParser.mostCommands) commands, those of sourced tapes included.")
      isFull = true
      return
    }
    if isSourced, case .output(let path) = command.step {
      // As in VHS: what comes out is for the outermost tape to say.
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
        place, "\(TapeError.quoted(path)) sources itself, by \(outer.map(TapeError.quoted).joined(separator: ", ")).")
    }
    guard outer.count <= TapeParser.greatestDepth else {
      return fail(place, "Tapes may source each other only \(TapeParser.greatestDepth) deep.")
    }
    let text: String
    do {
      text = try source(path)
    } catch {
      return fail(place, "The tape \(TapeError.quoted(path)) could not be read: \(TapeError.clean("\(error)"))")
    }
    includedLength += text.utf8.count
    guard includedLength <= 8 * TapeParser.greatestLength, includedCount < 1000 else {
      fail(place, "Too many tapes are sourced.")
      isFull = true
      return
    }
    includedCount += 1
    read(text, of: path, within: outer, source: source)
  }

  /// How much was sourced; tapes that source others several times would grow without end.
  private var includedLength = 0
  private var includedCount = 0

  private mutating func fail(_ place: TapePlace, _ sentence: String) {
    errors.append(TapeError(place: place, sentence: sentence))
    if errors.count == TapeErrors.most { isFull = true }
  }
}
