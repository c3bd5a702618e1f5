import Foundation
import SafeText

/// What the reader has chosen by keys and `:set`, one `key value` a line, the same for all accounts. It is read before
/// the first frame. Lines it doesn't know stay. It is only a convenience, so errors are ignored.
public struct SettingsFile: Sendable {
  private static let name = "settings"

  private let folder: PrivateFolder

  /// The settings in `directory`.
  public init(directory: String) {
    folder = PrivateFolder(path: directory)
  }

  /// All values by key; empty if there is no file or it can't be read.
  public func load() -> [String: String] {
    guard let data = FileManager.default.contents(atPath: folder.path(of: Self.name)) else { return [:] }
    var values: [String: String] = [:]
    for line in SafeText.repairing(data).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    return values
  }

  /// Sets one value. The file is read again first: another program may have changed others.
  public func set(_ key: String, to value: String) {
    var values = load()
    values[key] = value
    try? folder.replace(Self.name, with: values.map { "\($0.key) \($0.value)\n" }.sorted().joined().utf8)
  }
}
