import Foundation

/// What the screen was like at the end of the last run, in a file of its own. It is a convenience: what cannot be read or
/// written is passed over.
public struct RestorationFile: Sendable {
  private let path: String

  /// The state of one account, in `directory`.
  public init(directory: String, account: String) {
    path = "\(directory)/screen-\(account).json"
  }

  /// What was kept; nil where nothing was, or it cannot be read.
  public func load() -> [String: [String: String]]? {
    FileManager.default.contents(atPath: path).flatMap {
      try? JSONDecoder().decode([String: [String: String]].self, from: $0)
    }
  }

  /// Keeps `state` in place of what was kept.
  public func save(_ state: [String: [String: String]]) {
    let directory = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? JSONEncoder().encode(state).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
