/// The server and account that the command line names.
struct SessionChoice: Hashable {
  /// The name of the embedded server, used like an account.
  static let local = "local"

  /// `--server`: a server, signed out or with a token for this run only.
  var server: String?
  /// `--as`: an account, or ``local``.
  var account: String?
  /// `--token-stdin`
  var takesTokenFromStandardInput = false
}
