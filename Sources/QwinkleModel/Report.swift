/// A report to a server's moderators.
public struct Report: Hashable, Sendable {
  /// The reason. The raw values are the API's values.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    case spam, legal, violation, other
  }

  public var qwinker: Qwinker.ID
  /// The reported qwinks. Empty if the report is about the account.
  public var qwinks: [Qwink.ID]
  public var comment: String
  public var category: Category
  /// The violated server rules. Requires ``Category/violation``.
  public var rules: [ServerRule.ID]
  /// Whether a copy is also sent to the moderators of the reported account's server.
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
