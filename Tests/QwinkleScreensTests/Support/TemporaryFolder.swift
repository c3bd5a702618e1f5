import FoundationEssentials

/// The folder of one account's files; deleted with this object.
final class TemporaryFolder: Sendable {
  /// The account's name.
  static let account = "mara"

  private let root = FileManager.default.temporaryDirectory.path + "/qwinkle-screens-\(UUID().uuidString)"

  /// Makes the program keep all its files here.
  var environment: [String: String] { ["XDG_DATA_HOME": root, "XDG_CACHE_HOME": root, "XDG_STATE_HOME": root] }
  /// The account's folder.
  var path: String { "\(root)/qwinkle/\(Self.account)" }

  /// Replaces the folder with a file, so that nothing can be saved in it.
  func makeUnwritable() {
    try? FileManager.default.removeItem(atPath: path)
    try? Data().write(to: URL(fileURLWithPath: path))
  }

  /// Makes the file of drafts one of a newer version of the program.
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
