import Foundation
import LibC

/// A folder for a Unix socket, as a service makes it. It is deleted when this object is released.
public final class SocketFolder: Sendable {
  /// Short, because the path of a socket has at most 107 bytes.
  public let path = "/tmp/qs-\(UUID().uuidString.prefix(8))"

  public init() {
    mkdir(path, 0o755)
    // The umask may have removed more.
    chmod(path, 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Path of the socket.
  public var socket: String { "\(path)/qwinkle.sock" }

  /// Changes the permissions of the folder.
  public func setMode(_ mode: UInt32) { chmod(path, mode_t(mode)) }

  /// Moves the socket to another name, as a service does that isn't ready yet.
  public func hideSocket() { rename(socket, "\(socket).hidden") }
  public func showSocket() { rename("\(socket).hidden", socket) }
}
