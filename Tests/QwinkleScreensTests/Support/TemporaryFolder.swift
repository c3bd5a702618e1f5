import FoundationEssentials

/// A folder that goes when nobody holds it any more.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/qwinkle-screens-\(UUID().uuidString)"
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
