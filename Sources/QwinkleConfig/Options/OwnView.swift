public import QwinkleModel

/// A view of the user's own: the qwinks for which a rule holds.
public struct OwnView: Hashable, Sendable {
  public let name: String
  /// The rule as it is written.
  public let text: String
  public let rule: ViewRule

  /// - Throws: ``RuleProblem`` if `text` is no rule.
  public init(name: String, text: String) throws(RuleProblem) {
    self.name = name
    self.text = text
    rule = try ViewRule(text)
  }

  /// Whether `name` can be typed after a colon and shown in a title.
  static func isName(_ name: String) -> Bool {
    (1...30).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_"
      }
  }
}
