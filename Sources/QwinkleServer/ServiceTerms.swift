import QwinkleModel
import SafeText

/// What the operator of a served timeline decided.
public struct ServiceTerms: Hashable, Sendable {
  /// The most rules, and the characters of one.
  public static let mostRules = 100
  public static let mostCharacters = 1000

  /// Whether anybody may register.
  public var isOpen: Bool
  /// The rules in order. Their ids are their numbers, from 1.
  public var rules: [String]

  public init(isOpen: Bool = false, rules: [String] = []) {
    self.isOpen = isOpen
    self.rules = rules
  }

  /// The rules in a text that has one in each line, without empty lines; nil if there are too many or one is too long.
  public static func rules(in text: String) -> [String]? {
    let rules = text.split(whereSeparator: \.isNewline).map { SafeText.line(String($0)).trimmed() }.filter {
      !$0.isEmpty
    }
    return rules.count <= mostRules && rules.allSatisfy { $0.count <= mostCharacters } ? rules : nil
  }

  /// The rules with their ids.
  var numberedRules: [ServerRule] {
    rules.enumerated().map { ServerRule(id: .init("\($0.offset + 1)"), text: $0.element) }
  }

  /// The rule with this id; nil if there is none.
  func rule(_ id: Int64) -> String? {
    (1...Int64(rules.count + 1)).contains(id) ? rules.dropFirst(Int(id) - 1).first : nil
  }
}
