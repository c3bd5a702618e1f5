import Foundation

/// Where data lives: the XDG base directories, as the environment sets them.
struct Paths {
  let data: String
  let cache: String
  let state: String

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    func directory(_ variable: String, _ standard: String) -> String {
      // The specification has relative paths ignored.
      let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(standard)"
      return base + "/qwinkle"
    }
    data = directory("XDG_DATA_HOME", ".local/share")
    cache = directory("XDG_CACHE_HOME", ".cache")
    state = directory("XDG_STATE_HOME", ".local/state")
  }
}
