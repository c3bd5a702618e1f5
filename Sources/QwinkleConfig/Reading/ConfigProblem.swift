import SafeText

/// What is wrong with a file of the user's, and where.
public struct ConfigProblem: Error, Hashable, Sendable {
  /// From 1.
  public let line: Int
  /// In characters, from 1.
  public let column: Int
  public let sentence: String

  public init(line: Int, column: Int, sentence: String) {
    self.line = max(1, line)
    self.column = max(1, column)
    // Words of the file may be in it.
    self.sentence = String(SafeText.line(sentence).prefix(300))
  }

  /// With the file's name before it, as compilers say it: `config.toml:3:9: …`.
  public func words(in file: String) -> String { "\(file):\(line):\(column): \(sentence)" }
}
