import LibC

/// A client whose use of the server is counted.
enum Client: Hashable, Sendable {
  /// This process: its user, or work for no particular client. It has no limits, but takes turns.
  case process
  /// A network address, as ``ClientAddress/client(_:)`` returns it.
  case address(String)
  /// A user of this host, connected to the Unix socket. The limits of an address apply.
  case unixUser(uid_t)
  /// An account's id, for limits shared by all sessions of the account.
  case account(Int64)

  var isAccount: Bool {
    if case .account = self { true } else { false }
  }
}
