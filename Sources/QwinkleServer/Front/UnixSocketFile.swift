import LibC

/// The file of a Unix socket that this process listens on.
struct UnixSocketFile: Sendable {
  let path: String
  /// The listening socket.
  let descriptor: Int32
  /// A locked file next to the socket. It prevents two servers from replacing each other's socket.
  private let lock: Int32
  private let facts: stat

  /// Listens at `path`. Replaces the socket of a server that has ended.
  ///
  /// - Parameters:
  ///   - backlog: Length of the queue of connections not yet accepted.
  ///   - mode: The permissions. By default, every user of the host can connect.
  /// - Throws: ``ServiceError/socketInUse(path:)`` if a server listens there,
  ///   ``ServiceError/looseAccess(path:remedy:)`` if other users can replace files in the folder, or
  ///   ``ServiceError/socketNotUsable(path:reason:)``.
  init(path: String, backlog: Int32, mode: mode_t = 0o666) throws(ServiceError) {
    let mostBytes = UnixSocketAddress.mostPathBytes
    guard 1...mostBytes ~= path.utf8.count else {
      let reason = path.isEmpty ? "the path is empty" : "the path is longer than \(mostBytes) bytes"
      throw .socketNotUsable(path: path, reason: reason)
    }
    self.path = path
    try Self.checkFolder(of: path)
    // Before the lock file is created next to another program's file.
    _ = try Self.hasSocket(at: path)
    lock = try Self.lock(path)
    do throws(ServiceError) {
      try Self.removeStale(path)
      (descriptor, facts) = try Self.bind(path, backlog, mode)
    } catch {
      systemClose(lock)
      throw error
    }
  }

  /// Deletes the file, unless another file has replaced it.
  func remove() {
    var now = stat()
    if lstat(path, &now) == 0, now.st_ino == facts.st_ino, now.st_dev == facts.st_dev { unlink(path) }
    systemClose(lock)
  }

  /// In a folder that other users can write to, they could replace the socket with their own.
  private static func checkFolder(of path: String) throws(ServiceError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var facts = stat()
    guard stat(folder.isEmpty ? "/" : folder, &facts) == 0 else {
      throw .socketNotUsable(path: path, reason: systemWords())
    }
    let isSticky = facts.st_mode & S_ISVTX != 0
    // The folder's owner could replace the socket, too.
    guard [0, geteuid()].contains(facts.st_uid) else {
      throw .socketNotUsable(path: path, reason: "its folder belongs to another user")
    }
    if facts.st_mode & 0o022 != 0, !isSticky { throw .looseAccess(path: folder, remedy: "chmod go-w \(folder)") }
  }

  /// Locks the file `PATH.lock`. The system unlocks it when the process ends, even if it crashes.
  private static func lock(_ path: String) throws(ServiceError) -> Int32 {
    let name = "\(path).lock"
    // Only the owner can open the file, so that no other user can lock it.
    let lock = systemOpen(name, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .socketNotUsable(path: path, reason: "\(name): \(systemWords())") }
    guard systemLock(lock) else {
      systemClose(lock)
      throw .socketInUse(path: path)
    }
    return lock
  }

  /// Returns whether a socket of this user exists at `path`. Throws if another file exists there.
  private static func hasSocket(at path: String) throws(ServiceError) -> Bool {
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      if errno == ENOENT { return false }
      throw .socketNotUsable(path: path, reason: systemWords())
    }
    guard facts.st_mode & S_IFMT == S_IFSOCK else {
      throw .socketNotUsable(path: path, reason: "a file that isn't a socket exists there")
    }
    guard facts.st_uid == geteuid() else {
      throw .socketNotUsable(path: path, reason: "a socket of another user exists there")
    }
    return true
  }

  /// Deletes the socket of a server that has ended. Deletes nothing else.
  private static func removeStale(_ path: String) throws(ServiceError) {
    guard try hasSocket(at: path) else { return }
    let probe = makeSocket()
    guard probe >= 0 else { throw .socketNotUsable(path: path, reason: systemWords()) }
    defer { systemClose(probe) }
    let result = UnixSocketAddress.withAddress(of: path) { connect(probe, $0, $1) }
    // EAGAIN: the server's queue is full.
    if result == 0 || errno == EAGAIN { throw .socketInUse(path: path) }
    guard errno == ECONNREFUSED, unlink(path) == 0 else {
      throw .socketNotUsable(path: path, reason: systemWords())
    }
  }

  private static func bind(
    _ path: String, _ backlog: Int32, _ mode: mode_t
  ) throws(ServiceError) -> (Int32, stat) {
    let descriptor = makeSocket()
    var facts = stat()
    // A later chmod would follow a link that replaces the socket.
    let mask = umask(0o777 & ~mode)
    let isBound = descriptor >= 0 && UnixSocketAddress.withAddress(of: path) { LibC.bind(descriptor, $0, $1) } == 0
    umask(mask)
    // Users who connect before the service is ready wait in the queue.
    if isBound, lstat(path, &facts) == 0, listen(descriptor, backlog) == 0 {
      return (descriptor, facts)
    }
    let error = ServiceError.socketNotUsable(path: path, reason: systemWords())
    if isBound { unlink(path) }
    systemClose(descriptor)
    throw error
  }

  /// Returns a socket that doesn't block and that child processes don't inherit, or a negative number on failure.
  private static func makeSocket() -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    return socket(AF_UNIX, kind, 0)
  }
}
