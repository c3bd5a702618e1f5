/// An error in a rule and its position.
public struct RuleProblem: Error, Hashable, Sendable {
  /// The offset in Unicode scalars, from 0.
  public let offset: Int
  public let sentence: String

  /// The message with its column number, for a rule that the user typed.
  public var words: String { "Column \(offset + 1): \(sentence)" }
}
