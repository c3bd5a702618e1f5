/// One of a server's rules, which a report can cite.
public struct ServerRule: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<ServerRule>

  public var id: ID
  public var text: String
  /// An explanation of the rule. May be empty.
  public var hint: String

  public init(id: ID, text: String, hint: String = "") {
    self.id = id
    self.text = text
    self.hint = hint
  }
}

extension [ServerRule] {
  /// Returns the ids of the rules with these numbers, counted from 1, without duplicates.
  public func ids(numbered numbers: [Int]) throws(MissingRule) -> [ServerRule.ID] {
    var ids: [ServerRule.ID] = []
    for number in numbers {
      guard indices.contains(number - 1) else { throw MissingRule(number: number, count: count) }
      if !ids.contains(self[number - 1].id) { ids.append(self[number - 1].id) }
    }
    return ids
  }
}

/// Thrown if the server has no rule with this number.
public struct MissingRule: Error, Hashable, Sendable {
  public var number: Int
  /// The number of rules that the server has.
  public var count: Int

  public var sentence: String {
    count == 0 ? "The server has no rules." : "No rule \(number): the server has \(Counted.words(count, "rule"))."
  }
}
