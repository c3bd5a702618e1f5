/// What is wrong with a rule, and where.
public struct RuleProblem: Error, Hashable, Sendable {
  /// In characters, as Unicode's scalars, from 0.
  public let offset: Int
  public let sentence: String

  /// With the column before it, for a rule that was typed.
  public var words: String { "Column \(offset + 1): \(sentence)" }
}
