import Foundation
import SafeText

/// What the screen was like at the end of the last run, in a file of its own: a line an entry, `identifier key value`,
/// with tabs between them. It is read before the first frame, where a decoder's first use would cost more than all the
/// rest. It is a convenience: what cannot be read or written is passed over.
public struct RestorationFile: Sendable {
  private let folder: PrivateFolder
  private let name: String

  /// The state of one account, in `directory`.
  public init(directory: String, account: String) {
    folder = PrivateFolder(path: directory)
    name = "screen-\(account)"
  }

  /// What was kept; nil where nothing was, or it cannot be read.
  public func load() -> [String: [String: String]]? {
    guard let data = FileManager.default.contents(atPath: folder.path(of: name)) else { return nil }
    var state: [String: [String: String]] = [:]
    for line in SafeText.repairing(data).split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 3 { state[parts[0], default: [:]][parts[1]] = parts[2] }
    }
    return state
  }

  /// Keeps `state` in place of what was kept. What has a tab or a line break in it is left out.
  public func save(_ state: [String: [String: String]]) {
    let entries = state.flatMap { identifier, values in values.map { [identifier, $0.key, $0.value] } }
    let lines = entries.filter { entry in entry.allSatisfy { !$0.contains { $0 == "\t" || $0.isNewline } } }
      .map { $0.joined(separator: "\t") + "\n" }
    try? folder.replace(name, with: lines.sorted().joined().utf8)
  }

  /// Forgets what was kept.
  public func forget() {
    try? FileManager.default.removeItem(atPath: folder.path(of: name))
  }
}
