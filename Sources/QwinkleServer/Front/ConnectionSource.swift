import LibC
import NIOCore

/// The other end of a connection.
enum ConnectionSource: Sendable {
  /// A network address.
  case address(String)
  /// A user of this host, connected to the Unix socket.
  case unixUser(uid_t)
}

/// The user at the other end of a Unix socket.
enum UnixPeer {
  /// Returns the uid of a client whose own socket is bound to a path, if it is bound to any. Returns nil if the uid is
  /// unknown. Tests replace the kernel by it.
  typealias Reader = @Sendable (_ path: String?) -> uid_t?

  /// Returns the user who connected: the effective uid of the process at that moment, as the kernel recorded it.
  /// Passing the connection to another process doesn't change it.
  static func uid(of channel: any Channel) -> EventLoopFuture<uid_t?> {
    let unknown: EventLoopFuture<uid_t?> = channel.eventLoop.makeSucceededFuture(nil)
    guard let options = channel as? any SocketOptionProvider else { return unknown }
    let credentials: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel.socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map { known in
      // The kernel's value for a socket without a peer.
      known.user == uid_t.max ? nil : known.user
    }.flatMapErrorThrowing { _ in nil }
  }
}
