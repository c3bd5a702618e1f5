import QwinkleModel
import SafeText

/// Settings that the operator of `qwinkle serve` chooses.
public struct ServiceTerms: Hashable, Sendable {
  /// Maximum number of rules.
  public static let mostRules = 100
  /// Maximum number of characters in a rule.
  public static let mostCharacters = 1000

  /// Whether registration is open to everyone.
  public var isOpen: Bool
  /// The rules, in order, instead of the stored ones. A rule's id is its position, starting at 1. Nil for the stored
  /// rules.
  public var rules: [String]?
  /// The users of this host who are allowed to use the service, on its Unix socket and with tokens. Nil if the service
  /// has no Unix socket.
  public var unixAccess: UnixAccess?

  public init(isOpen: Bool = false, rules: [String]? = nil, unixAccess: UnixAccess? = nil) {
    self.isOpen = isOpen
    self.rules = rules
    self.unixAccess = unixAccess
  }

  /// Parses a text with one rule per line and skips empty lines. Returns nil if there are too many rules or a rule is
  /// too long.
  public static func rules(in text: String) -> [String]? {
    let rules = text.split(whereSeparator: \.isNewline).map { SafeText.line(String($0)).trimmed() }.filter {
      !$0.isEmpty
    }
    return rules.count <= mostRules && rules.allSatisfy { $0.count <= mostCharacters } ? rules : nil
  }

  /// ``rules`` with their ids.
  var numberedRules: [ServerRule]? {
    rules?.enumerated().map { ServerRule(id: .init("\($0.offset + 1)"), text: $0.element) }
  }
}
