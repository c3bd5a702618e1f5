import Foundation
import QwinkleService

/// The program's folders, and the standard place of the shared timeline's socket. The folders are in the XDG base
/// directories. Environment variables can change all of them.
struct Paths {
  let home: String
  let data: String
  let cache: String
  let state: String
  let config: String
  let socket: String

  /// Reads the environment of this process.
  init() {
    self.init { name in getenv(name).map { String(cString: $0) } }
  }

  init(environment: [String: String]) {
    self.init { environment[$0] }
  }

  /// The home folder in the system's user database.
  private static var accountHome: String {
    getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
  }

  private init(_ variable: (String) -> String?) {
    // A relative path would mean another timeline in each folder.
    let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.accountHome
    self.home = home
    func directory(_ name: String, _ standard: String) -> String {
      // The XDG specification requires that relative paths are ignored.
      let base = variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(standard)"
      return base + "/qwinkle"
    }
    data = directory("XDG_DATA_HOME", ".local/share")
    cache = directory("XDG_CACHE_HOME", ".cache")
    state = directory("XDG_STATE_HOME", ".local/state")
    config = directory("XDG_CONFIG_HOME", ".config")
    socket = variable("QWINKLE_SOCKET").flatMap { $0.isEmpty ? nil : $0 } ?? SharedSocket.standardPath
  }
}
