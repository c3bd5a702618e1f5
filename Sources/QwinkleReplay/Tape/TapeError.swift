import SafeText

/// What is wrong with a tape, where, and what was expected.
public struct TapeError: Error, Hashable, CustomStringConvertible {
  public let place: TapePlace
  /// One sentence, or two.
  public let sentence: String

  /// `login.tape:3:7: “Slep” is no command. Did you mean Sleep?`
  public var description: String { "\(place): \(sentence)" }

  /// What another part of the program says, harmless to print and not long.
  static func clean(_ text: String) -> String { SafeText.line(String(text.prefix(300))) }

  /// A part of a tape between quotation marks, harmless to print and not long.
  static func quoted(_ text: some StringProtocol) -> String {
    let clean = SafeText.line(String(text.prefix(60)))
    return clean.count > 40 ? "“\(clean.prefix(40))…”" : "“\(clean)”"
  }
}

/// Everything that is wrong with a tape, in its order. Nothing of it was done.
public struct TapeErrors: Error, Hashable, CustomStringConvertible {
  /// So many are told.
  public static let most = 20

  /// At least one, at most ``most``.
  public let errors: [TapeError]

  /// A line for each.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}
