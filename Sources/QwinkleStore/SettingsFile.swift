import Foundation
import SafeText

/// The settings that the user changes with the keyboard or `:set`, shared by all accounts. Each line is a `name value`
/// pair. The file is read before the first frame. Unknown names are preserved. The settings are only a convenience, so
/// errors are ignored.
public struct SettingsFile: Sendable {
  private static let name = "settings"

  private let folder: PrivateFolder

  /// Creates an accessor for the file in `directory`, without reading it.
  public init(directory: String) {
    folder = PrivateFolder(path: directory)
  }

  /// Returns all values by key. Empty if the file doesn't exist or can't be read.
  public func load() -> [String: String] {
    guard let data = FileManager.default.contents(atPath: folder.path(of: Self.name)) else { return [:] }
    var values: [String: String] = [:]
    for line in SafeText.repairing(data).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    return values
  }

  /// Sets one value. Reads the file again first, because another program may have changed other values.
  public func set(_ key: String, to value: String) {
    var values = load()
    values[key] = value
    try? folder.replace(Self.name, with: values.map { "\($0.key) \($0.value)\n" }.sorted().joined().utf8)
  }
}
