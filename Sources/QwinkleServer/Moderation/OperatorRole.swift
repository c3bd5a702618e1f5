/// The role of an account. Roles other than ``user`` make an account an operator.
public enum OperatorRole: String, CaseIterable, Sendable {
  case user, moderator, admin

  /// Whether an operator with this role may act against an account with another role.
  func mayModerate(_ other: OperatorRole) -> Bool { rank > other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
