import SafeText

/// An error in a tape: its position, the problem and the expected input.
public struct TapeError: Error, Hashable, CustomStringConvertible {
  public let place: TapePlace
  /// One or two sentences.
  public let sentence: String

  /// `login.tape:3:7: “Slep” is not a command. Did you mean Sleep?`
  public var description: String { "\(place): \(sentence)" }

  /// Returns an external message in a form that is safe to print, truncated to 300 characters.
  static func clean(_ text: String) -> String { SafeText.line(String(text.prefix(300))) }

  /// Returns a part of a tape in quotation marks, safe to print and truncated to 40 characters.
  static func quoted(_ text: some StringProtocol) -> String {
    let clean = SafeText.line(String(text.prefix(60)))
    return clean.count > 40 ? "“\(clean.prefix(40))…”" : "“\(clean)”"
  }
}

/// The errors in a tape, in order. The parser throws them before any step is performed.
public struct TapeErrors: Error, Hashable, CustomStringConvertible {
  /// Maximum number of reported errors.
  public static let most = 20

  /// At least one, at most ``most``.
  public let errors: [TapeError]

  /// One line per error.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}
