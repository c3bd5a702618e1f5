import LibC
import NIOCore

/// The other end of a connection.
enum ConnectionSource: Sendable {
  /// A network address.
  case address(String)
  /// A user of this host, connected to the Unix socket. Limits count the user `countedAs`.
  case unixUser(uid_t, countedAs: uid_t)

  /// Returns the source for a user of this host.
  ///
  /// All uids that the host doesn't know count as one client, because one user can have thousands of them. If the user
  /// database fails, so do all uids that it hasn't found before.
  static func unixUser(_ uid: uid_t, in directory: UnixUserDirectory) async -> ConnectionSource {
    switch await directory.user(.uid(uid)) {
    case .found: .unixUser(uid, countedAs: uid)
    case .absent: .unixUser(UnixUser.overflow, countedAs: UnixUser.overflow)
    case .failed: .unixUser(uid, countedAs: directory.hasFound(.uid(uid)) ? uid : UnixUser.overflow)
    }
  }
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
