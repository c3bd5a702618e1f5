public import QwinkleModel

/// A view of the user's own: the qwinks for which a rule holds.
public struct OwnView: Hashable, Sendable {
  public let name: String
  public let rule: ViewRule

  public init(name: String, rule: ViewRule) {
    self.name = name
    self.rule = rule
  }

  /// Whether `name` can be typed after a colon and shown in a title.
  static func isName(_ name: String) -> Bool {
    (1...30).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_"
      }
  }
}
