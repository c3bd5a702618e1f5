import FoundationEssentials

/// A folder that goes when nobody holds it any more.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/qwinkle-screens-\(UUID().uuidString)"
  }

  /// Puts a file where the folder was, so that nothing can be kept in it.
  func makeUnwritable() {
    try? FileManager.default.removeItem(atPath: path)
    try? Data().write(to: URL(fileURLWithPath: path))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
