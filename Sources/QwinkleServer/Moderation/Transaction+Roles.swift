import GRDB
import QwinkleWire

extension Transaction {
  /// Bits of Mastodon's permissions that operators have here: managing reports (0x10) and users (0x400).
  /// <https://docs.joinmastodon.org/entities/Role/#permission-flags>
  private static let permissions = 0x10 | 0x400

  /// Returns an account's role. An unknown stored role counts as ``OperatorRole/user``.
  func role(of account: Int64) throws -> OperatorRole {
    let row = try row("SELECT role FROM roles WHERE account_id = ?", [account])
    return row.flatMap { OperatorRole(rawValue: $0[0]) } ?? .user
  }

  func setRole(of account: Int64, to role: OperatorRole) throws {
    if role == .user { return try run("DELETE FROM roles WHERE account_id = ?", [account]) }
    try run("INSERT OR REPLACE INTO roles (account_id, role) VALUES (?, ?)", [account, role.rawValue])
  }

  /// Returns the ids of all operators that aren't suspended.
  func operators() throws -> [Int64] {
    try numbers(
      "SELECT account_id FROM roles WHERE account_id NOT IN (SELECT account_id FROM suspensions) ORDER BY account_id")
  }

  /// Returns an account's role with Mastodon's ids of the default roles.
  func accountRole(of account: Int64) throws -> AccountRole {
    let permissions = String(Self.permissions)
    return switch try role(of: account) {
    case .user: AccountRole(id: "-99", name: "", permissions: "0")
    case .moderator: AccountRole(id: "1", name: "Moderator", permissions: permissions)
    case .admin: AccountRole(id: "2", name: "Admin", permissions: permissions)
    }
  }
}
