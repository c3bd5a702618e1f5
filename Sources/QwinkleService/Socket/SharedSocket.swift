import LibC
import QwinkleModel
public import QwinkleWire

/// The Unix socket of a server on this machine. The kernel tells the server which user has connected, so that requests
/// need no token.
public struct SharedSocket: Hashable, Sendable {
  /// The address of the server. It isn't an address in a network: requests to it go to the socket.
  public static let serverURL = "http://shared"

  /// The socket of a service that is installed for the whole host.
  public static let standardPath = "/run/qwinkle/qwinkle.sock"

  /// Maximum length of a path in bytes. The kernel limits it (unix(7), `sun_path`).
  public static let mostPathBytes = 107

  /// Begins with `/`.
  public let path: String

  /// Returns nil if `path` is relative, names no file, or is longer than ``mostPathBytes``.
  public init?(path: String) {
    guard path.hasPrefix("/"), !path.hasSuffix("/"), path.utf8.count <= Self.mostPathBytes, !path.utf8.contains(0)
    else { return nil }
    self.path = path
  }

  /// The reason why the socket can't be used, if its files show one. Connects to nothing.
  public var fault: SocketFault? {
    do throws(SocketFault) {
      try owner()
    } catch {
      return error
    }
    return access(path, W_OK) == 0 ? nil : .notAllowed
  }

  /// Begins the URLs that the HTTP client sends to this socket.
  var baseURL: String { "http+unix://\(PercentEncoding.component(path))" }

  /// Checks that only root or one service user controls the socket, and returns its owner's uid. A file that another
  /// user could replace isn't trusted. Reads only metadata, and connects to nothing.
  @discardableResult
  public func owner() throws(SocketFault) -> UInt32 {
    guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { throw .missing }
    let folder = path[..<end].isEmpty ? "/" : String(path[..<end])
    // Resolve links in the folder's path, such as /var/run, so that all folders on the real path are checked.
    guard let realFolder = systemRealPath(folder) else { throw Self.fault(ofError: errno) ?? .missing }
    let name = path[path.utf8.index(after: end)...]
    let socket = try SocketFile(path: realFolder == "/" ? "/\(name)" : "\(realFolder)/\(name)")
    if let fault = SocketFile.fault(of: socket, in: try Self.folders(to: realFolder)) { throw fault }
    return socket.owner
  }

  /// Returns `folder` and the folders above it, up to the root.
  private static func folders(to folder: String) throws(SocketFault) -> [SocketFile] {
    var folders = [try SocketFile(path: folder)]
    var path = folder[...]
    while path != "/", let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      path = end == path.startIndex ? "/" : path[..<end]
      folders.append(try SocketFile(path: String(path)))
    }
    return folders
  }

  /// Returns the fault that a failed call means, or nil if it isn't about the socket.
  static func fault(ofError code: Int32) -> SocketFault? {
    switch code {
    case ENOENT, ENOTDIR: .missing
    case ECONNREFUSED: .notListening
    case EAGAIN: .busy
    case EACCES, EPERM: .notAllowed
    default: nil
    }
  }

  /// Returns the fault of a server whose process belongs to `user`, or nil if it has none: the process must belong to
  /// root or to the socket's owner. Any process can serve a socket of root, because only root can make one: systemd
  /// passes its sockets to services of other users.
  static func fault(ofServerBy user: UInt32, socketOwner: UInt32) -> SocketFault? {
    guard user != 0, socketOwner != 0, user != socketOwner else { return nil }
    return .untrusted(reason: "its server belongs to user \(user), but the socket to user \(socketOwner)")
  }
}

/// Metadata of a socket or of a folder on its path.
struct SocketFile: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case socket, folder, link, other }

  var path: String
  var kind: Kind
  var owner: UInt32
  /// The permissions, including the sticky bit.
  var mode: UInt32

  init(path: String, kind: Kind, owner: UInt32, mode: UInt32) {
    self.path = path
    self.kind = kind
    self.owner = owner
    self.mode = mode
  }

  /// Reads the metadata without following a link.
  init(path: String) throws(SocketFault) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      throw SharedSocket.fault(ofError: errno) ?? .untrusted(reason: "it can't be examined: \(systemWords())")
    }
    let kind: Kind =
      switch facts.st_mode & S_IFMT {
      case S_IFSOCK: .socket
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    self.init(path: path, kind: kind, owner: facts.st_uid, mode: UInt32(facts.st_mode & 0o7777))
  }

  private var isWritableByOthers: Bool { mode & 0o022 != 0 }
  private var isSticky: Bool { mode & 0o1000 != 0 }

  /// Returns the reason why a socket isn't trusted, if any. The first of `folders` contains the socket, and each other
  /// folder contains the one before it.
  static func fault(of socket: SocketFile, in folders: [SocketFile]) -> SocketFault? {
    switch socket.kind {
    case .socket: break
    case .link: return .untrusted(reason: "it is a symbolic link")
    case .folder, .other: return .untrusted(reason: "it is not a socket")
    }
    guard let folder = folders.first else { return .untrusted(reason: "it has no folder") }
    guard folder.owner == socket.owner || folder.owner == 0 || socket.owner == 0 else {
      return .untrusted(
        reason: "it belongs to user \(socket.owner), but its folder \(folder.path) to user \(folder.owner)")
    }
    if folder.isWritableByOthers {
      return .untrusted(reason: "others can write to its folder \(folder.path)")
    }
    // The owner of a folder can rename the folders in it.
    if let strange = folders.dropFirst().first(where: { ![0, socket.owner, folder.owner].contains($0.owner) }) {
      return .untrusted(reason: "the folder \(strange.path) belongs to user \(strange.owner)")
    }
    // In a sticky folder such as /tmp, others can't rename the folders of other users.
    if let open = folders.dropFirst().first(where: { $0.isWritableByOthers && !$0.isSticky }) {
      return .untrusted(reason: "others can write to the folder \(open.path)")
    }
    return nil
  }
}
