import Foundation
import SafeText

/// The screen's state at the end of the last run, one value per line: `identifier key value`, separated by tabs. It is
/// read before the first frame, where the first use of a decoder would cost more than everything else. It is only a
/// convenience, so errors are ignored.
public struct RestorationFile: Sendable {
  private let folder: PrivateFolder
  private let name: String

  /// The state of one account, stored in `directory`.
  public init(directory: String, account: String) {
    folder = PrivateFolder(path: directory)
    name = "screen-\(account)"
  }

  /// The saved state; nil if there is none or it can't be read.
  public func load() -> [String: [String: String]]? {
    guard let data = FileManager.default.contents(atPath: folder.path(of: name)) else { return nil }
    var state: [String: [String: String]] = [:]
    for line in SafeText.repairing(data).split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 3 { state[parts[0], default: [:]][parts[1]] = parts[2] }
    }
    return state
  }

  /// Replaces the saved state. Values with a tab or a line break in them are left out.
  public func save(_ state: [String: [String: String]]) {
    let entries = state.flatMap { identifier, values in values.map { [identifier, $0.key, $0.value] } }
    let lines = entries.filter { entry in entry.allSatisfy { !$0.contains { $0 == "\t" || $0.isNewline } } }
      .map { $0.joined(separator: "\t") + "\n" }
    try? folder.replace(name, with: lines.sorted().joined().utf8)
  }

  /// Deletes the saved state.
  public func forget() {
    try? FileManager.default.removeItem(atPath: folder.path(of: name))
  }
}
