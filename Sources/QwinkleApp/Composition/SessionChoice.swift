/// The server and account that the command line names.
struct SessionChoice: Hashable {
  /// Names the embedded service in place of an account.
  static let local = "local"

  /// `--server`: this server, signed out or with a token for this run only.
  var server: String?
  /// `--as`: this account, or ``local``.
  var account: String?
  /// `--token-stdin`
  var takesTokenFromStandardInput = false
}
