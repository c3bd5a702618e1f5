#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif

// The platform's C library, and system calls under names that don't clash with methods.

/// Opens a file that child processes don't inherit. Returns -1 and sets `errno` on failure.
public func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  open(path, flags | O_CLOEXEC, mode)
}

/// Locks an open file or folder for this program alone, until the descriptor and its copies are closed. If another
/// program has locked it, waits, or returns false with `errno` set to `EWOULDBLOCK` if `waits` is false. Returns false
/// after other failures too, such as on network drives without locks.
public func systemLock(_ descriptor: Int32, waits: Bool = false) -> Bool {
  while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
    guard errno == EINTR else { return false }
  }
  return true
}

@discardableResult
public func systemClose(_ descriptor: Int32) -> Bool { close(descriptor) == 0 }

public func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

public func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

/// Writes all of `bytes`. Returns false and sets `errno` on failure.
public func systemWrite(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// Resolves symbolic links and `..`. Returns nil if the path doesn't exist.
public func systemRealPath(_ path: String) -> String? {
  guard let found = realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(cString: found)
}

/// Returns the system's message for the last failed call.
public func systemWords() -> String { String(cString: strerror(errno)) }

/// The process at the other end of a Unix socket: the kernel's `struct ucred`, which the option `SO_PEERCRED` returns
/// (unix(7)). Swift doesn't import the C type, because it needs `_GNU_SOURCE`.
public struct PeerCredentials: Sendable {
  public var process: pid_t
  /// The effective uid at the moment of `connect` or `listen`.
  public var user: uid_t
  public var group: gid_t
}

/// Addresses of Unix sockets that are files.
public enum UnixSocketAddress {
  /// Longest path, in bytes. The system's address type has room for one more, the zero at the end.
  public static let mostPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Calls `body` with the address of the socket at `path`, for `bind` or `connect`. `path` has at most
  /// ``mostPathBytes`` bytes.
  public static func withAddress<Value>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(mostPathBytes)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
