/// Whom somebody wants to ask, and as whom, as the command line says it.
struct SessionChoice: Hashable {
  /// The name of the service in this process, where an account is asked for.
  static let local = "local"

  /// `--server`: this server, signed out or with a token that is given for this time.
  var server: String?
  /// `--as`: this account, or ``local``.
  var account: String?
  /// `--token-stdin`
  var takesTokenFromStandardInput = false
}
