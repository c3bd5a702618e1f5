/// What the user reports to the operators of a server.
public struct Report: Hashable, Sendable {
  /// Why. Raw values as on the wire.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    case spam, legal, violation, other
  }

  public var qwinker: Qwinker.ID
  /// The qwinks it is about; none if it is about the account.
  public var qwinks: [Qwink.ID]
  public var comment: String
  public var category: Category
  /// The rules of the server that are broken; they need ``Category/violation``.
  public var rules: [ServerRule.ID]
  /// Whether the operators of the qwinker's own server are told too.
  public var isForwarded: Bool

  public init(
    qwinker: Qwinker.ID, qwinks: [Qwink.ID] = [], comment: String = "", category: Category = .other,
    rules: [ServerRule.ID] = [], isForwarded: Bool = false
  ) {
    self.qwinker = qwinker
    self.qwinks = qwinks
    self.comment = comment
    self.category = category
    self.rules = rules
    self.isForwarded = isForwarded
  }
}
