/// A client whose use of the server is counted.
enum Client: Hashable, Sendable {
  /// The user of this process. Has no limits.
  case process
  /// A network address, as ``ClientAddress/client(_:)`` returns it.
  case address(String)
  /// An account's id, for limits shared by all sessions of the account.
  case account(Int64)

  var isAccount: Bool {
    if case .account = self { true } else { false }
  }
}
