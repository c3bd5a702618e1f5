public import QwinkleModel

/// A user-defined view: the qwinks that match a rule.
public struct OwnView: Hashable, Sendable {
  public let name: String
  /// The rule as written by the user.
  public let text: String
  public let rule: ViewRule

  /// - Throws: ``RuleProblem`` if `text` isn't a valid rule.
  public init(name: String, text: String) throws(RuleProblem) {
    self.name = name
    self.text = text
    rule = try ViewRule(text)
  }

  /// Whether `name` is a valid name: short enough to be shown in a title, and without spaces, so that the user can type
  /// it after a colon.
  public static func isName(_ name: String) -> Bool {
    (1...30).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_"
      }
  }
}
