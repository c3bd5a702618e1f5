import FoundationEssentials

/// An empty folder, deleted with this object.
final class TemporaryFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/qwinkle-config-\(UUID().uuidString)"

  init() {
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
