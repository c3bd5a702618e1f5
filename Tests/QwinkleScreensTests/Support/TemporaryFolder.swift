import FoundationEssentials

/// The home of one account's files. It goes when nobody holds it any more.
final class TemporaryFolder: Sendable {
  /// Whose files these are.
  static let account = "mara"

  private let root = FileManager.default.temporaryDirectory.path + "/qwinkle-screens-\(UUID().uuidString)"

  /// What has the program keep everything here.
  var environment: [String: String] { ["XDG_DATA_HOME": root, "XDG_CACHE_HOME": root, "XDG_STATE_HOME": root] }
  /// The folder of the account.
  var path: String { "\(root)/qwinkle/\(Self.account)" }

  /// Puts a file where the folder was, so that nothing can be kept in it.
  func makeUnwritable() {
    try? FileManager.default.removeItem(atPath: path)
    try? Data().write(to: URL(fileURLWithPath: path))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }
}
