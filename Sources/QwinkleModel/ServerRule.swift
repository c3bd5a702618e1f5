/// A rule that a server's users have to keep, which a report may name.
public struct ServerRule: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<ServerRule>

  public var id: ID
  public var text: String
  /// What explains the rule; empty if nothing does.
  public var hint: String

  public init(id: ID, text: String, hint: String = "") {
    self.id = id
    self.text = text
    self.hint = hint
  }
}

extension [ServerRule] {
  /// The ids of rules by their numbers, from 1, each once.
  public func ids(numbered numbers: [Int]) throws(MissingRule) -> [ServerRule.ID] {
    var ids: [ServerRule.ID] = []
    for number in numbers {
      guard indices.contains(number - 1) else { throw MissingRule(number: number, count: count) }
      if !ids.contains(self[number - 1].id) { ids.append(self[number - 1].id) }
    }
    return ids
  }
}

/// A server has no rule with that number.
public struct MissingRule: Error, Hashable, Sendable {
  public var number: Int
  /// How many rules it has.
  public var count: Int

  public var sentence: String {
    count == 0 ? "The server has no rules." : "No rule \(number): the server has \(Counted.words(count, "rule"))."
  }
}
