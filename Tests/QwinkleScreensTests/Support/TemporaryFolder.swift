import FoundationEssentials

/// A temporary home for one account's files. Deleted when this object is deallocated.
final class TemporaryFolder: Sendable {
  static let account = "mara"

  private let root = FileManager.default.temporaryDirectory.path + "/qwinkle-screens-\(UUID().uuidString)"

  /// Directs all the app's files to this folder.
  var environment: [String: String] {
    ["XDG_DATA_HOME": root, "XDG_CACHE_HOME": root, "XDG_STATE_HOME": root, "XDG_CONFIG_HOME": root]
  }
  var path: String { "\(root)/qwinkle/\(Self.account)" }

  /// Writes the user's `keys.txt`.
  func write(keys: String) throws { try write(keys, to: "keys.txt") }

  /// Writes the user's `config.toml`.
  func write(config: String) throws { try write(config, to: "config.toml") }

  private func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(root)/qwinkle", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/qwinkle/\(name)"))
  }

  /// Replaces the folder with a file, so that nothing can be saved in it.
  func makeUnwritable() {
    try? FileManager.default.removeItem(atPath: path)
    try? Data().write(to: URL(fileURLWithPath: path))
  }

  /// Sets the schema version of the drafts file to one of a later release.
  func makeDraftsTooNew() throws {
    let file = URL(fileURLWithPath: "\(path)/outgoing.sqlite")
    var data = try Data(contentsOf: file)
    // The lowest byte of SQLite's user_version.
    data[63] = 99
    try data.write(to: file)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }
}
