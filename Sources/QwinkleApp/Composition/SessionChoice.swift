/// The server or the account given on the command line.
struct SessionChoice: Hashable {
  /// Name that stands for the embedded server where an account is expected.
  static let local = "local"

  /// `--server`: a server, signed out or with a token for this run only.
  var server: String?
  /// `--as`: an account, ``local`` or ``SharedTimeline/name``.
  var account: String?
  /// `--socket`: the path of a shared timeline's socket.
  var socket: String?
  /// `--token-stdin`
  var takesTokenFromStandardInput = false
}
