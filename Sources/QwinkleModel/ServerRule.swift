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
