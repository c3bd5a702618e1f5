/// A parsed tape.
public struct Tape: Hashable, Sendable {
  /// The name of the tape's own file, not of a tape that it sources.
  public var name: String
  public var commands: [TapeCommand]
  /// Warnings about commands that have no effect, in order.
  public var notes: [TapeNote]
}

public struct TapeCommand: Hashable, Sendable {
  public var place: TapePlace
  public var step: TapeStep
  /// The command as written, on one line.
  public var text: String
}

/// A position in a tape.
public struct TapePlace: Hashable, Sendable, CustomStringConvertible {
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in Unicode scalars.
  public var column: Int

  /// `login.tape:3:7`
  public var description: String { "\(file):\(line):\(column)" }
}

/// A note that a valid command has no effect in Qwinkle, such as `Set FontSize`.
public struct TapeNote: Hashable, Sendable, CustomStringConvertible {
  public var place: TapePlace
  public var sentence: String

  /// `login.tape:3:7: Set FontSize has no effect …`
  public var description: String { "\(place): \(sentence)" }
}
