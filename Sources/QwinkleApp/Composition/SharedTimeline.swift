import Foundation
import Hashing
import QwinkleConfig
import QwinkleService
import QwinkleWire
import SafeText

/// The timeline of this host, which its Unix users share: a server on a Unix socket.
struct SharedTimeline: Hashable {
  /// Name that stands for the shared timeline where an account is expected. Also the name of its folders.
  static let name = "shared"

  let socket: SharedSocket
  /// Whether the user named the socket, in an option or in the configuration. Otherwise it is in the standard place.
  let isNamed: Bool
  /// Name of the account's folders. Sockets outside the standard place have their own folders, because their servers
  /// have other posts and ids.
  let folder: String

  private init(_ socket: SharedSocket, isNamed: Bool, _ paths: Paths) {
    self.socket = socket
    self.isNamed = isNamed
    let hash = SHA256.hexDigest(of: Array("qwinkle socket:\(socket.path)".utf8)).prefix(12)
    folder = socket.path == paths.socket ? Self.name : "\(Self.name)-\(hash)"
  }

  /// The display name of the user's account: `anna@tilde`.
  static var accountWords: String { "\(NSUserName())@\(hostName)" }

  /// This host's own name. No name server is asked.
  static var hostName: String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let isKnown = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { gethostname($0.assumingMemoryBound(to: CChar.self), buffer.count - 1) } == 0
    }
    let name = SafeText.line(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    return isKnown && !name.isEmpty ? name : "localhost"
  }

  /// Returns the socket at `typed`, the value of `--socket`.
  ///
  /// - Throws: A usage error if `typed` can't be the path of a socket.
  static func named(_ typed: String, _ paths: Paths) throws(AppError) -> SharedTimeline {
    let path = typed.hasPrefix("/") ? typed : "\(FileManager.default.currentDirectoryPath)/\(typed)"
    guard let socket = SharedSocket(path: path) else {
      throw .usage("Not the path of a socket: \(typed). A path has at most \(SharedSocket.mostPathBytes) bytes.")
    }
    return SharedTimeline(socket, isNamed: true, paths)
  }

  /// Returns the socket that `--as shared` means: from the configuration, or else in the standard place, whether or not
  /// it exists.
  static func usual(_ paths: Paths) throws(AppError) -> SharedTimeline {
    if let timeline = try configured(paths).timeline { return timeline }
    return try standard(paths)
  }

  /// Returns the shared timeline that is used if the user chose no account. Returns nil if the configuration has no
  /// path and no trusted socket was found that this user may connect to.
  static func found(_ paths: Paths) throws(AppError) -> SharedTimeline? {
    let configured = try configured(paths)
    if configured.isOff { return nil }
    if let timeline = configured.timeline { return timeline }
    let timeline = try standard(paths)
    return switch timeline.socket.fault {
    case nil: timeline
    case .missing: timeline.isRestarting(paths) ? timeline : nil
    default: nil
    }
  }

  /// Returns a sentence about a socket in the standard place that isn't used because of its owners or permissions.
  /// Otherwise returns nil.
  static func distrust(_ paths: Paths) -> String? {
    guard let configured = try? configured(paths), !configured.isOff, configured.timeline == nil,
      let timeline = try? standard(paths)
    else { return nil }
    switch timeline.socket.fault {
    case nil, .missing: return nil
    case let fault?: return timeline.sentence(for: fault)
    }
  }

  /// Whether the user has used this timeline before, so that it may be opened without the user's help.
  func wasUsed(_ paths: Paths) -> Bool { FileManager.default.fileExists(atPath: "\(paths.data)/\(folder)") }

  /// Returns an error message, followed by a remedy.
  func sentence(for fault: SocketFault) -> String {
    DownloadError.transport(.socket(path: socket.path, fault)).sentence
  }

  /// Whether the socket is missing because its server is restarting. Without this check, a command during a restart
  /// would post to the embedded server. The folder remains during a restart of a service that systemd runs.
  private func isRestarting(_ paths: Paths) -> Bool {
    guard wasUsed(paths) else { return false }
    var isFolder: ObjCBool = false
    let folder = (socket.path as NSString).deletingLastPathComponent
    return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func standard(_ paths: Paths) throws(AppError) -> SharedTimeline {
    guard let socket = SharedSocket(path: paths.socket) else {
      throw .usage("QWINKLE_SOCKET is not the path of a socket: \(paths.socket).")
    }
    return SharedTimeline(socket, isNamed: false, paths)
  }

  private static func configured(_ paths: Paths) throws(AppError) -> (timeline: SharedTimeline?, isOff: Bool) {
    let value = try UserConfig.socket(paths)
    switch value {
    case "auto": return (nil, false)
    case "off": return (nil, true)
    default: return (try named(value, paths), false)
    }
  }
}
