/// The reason why a server's Unix socket can't be used. Nothing was sent.
public enum SocketFault: Error, Hashable, Sendable {
  /// No file has the socket's path.
  case missing
  /// The socket exists, but no server listens on it.
  case notListening
  /// The server's queue of new connections is full.
  case busy
  /// The permissions of the socket or of a folder exclude this user.
  case notAllowed
  /// Another user could have replaced the server, for this `reason`, which follows “because”.
  case untrusted(reason: String)
}
