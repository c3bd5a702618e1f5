import SafeText

/// An error in one of the user's files, with its position.
public struct ConfigProblem: Error, Hashable, Sendable {
  /// Counted from 1.
  public let line: Int
  /// In characters, counted from 1.
  public let column: Int
  public let sentence: String

  public init(line: Int, column: Int, sentence: String) {
    self.line = max(1, line)
    self.column = max(1, column)
    // Remove control characters, because the sentence may quote the file.
    self.sentence = String(SafeText.line(sentence).prefix(300))
  }

  /// Returns the problem in the format of compilers: `config.toml:3:9: …`.
  public func words(in file: String) -> String { "\(file):\(line):\(column): \(sentence)" }
}
