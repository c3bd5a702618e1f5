import Foundation
import SafeText

/// The screen's state at the end of the last run. The file begins with a version line, followed by one value per line:
/// `identifier key value`, separated by tabs. The file is read before the first frame. It isn't JSON, because the first
/// use of a decoder would take longer than everything else before that frame. The state is only a convenience, so
/// errors are ignored.
public struct RestorationFile: Sendable {
  /// The content of a file.
  public enum Content: Equatable, Sendable {
    /// The file doesn't exist or can't be read.
    case none
    case state([String: [String: String]])
    /// State in another version's format, which must not be overwritten.
    case otherVersion
  }

  /// Version 1 had no version line.
  private static let version = 2
  private static let versionKey = "version"

  private let folder: PrivateFolder
  private let name: String

  /// Creates a value for the file of one account in `directory`.
  public init(directory: String, account: String) {
    folder = PrivateFolder(path: directory)
    name = "screen-\(account)"
  }

  public func load() -> Content {
    guard let data = FileManager.default.contents(atPath: folder.path(of: name)) else { return .none }
    var state: [String: [String: String]] = [:]
    for line in SafeText.repairing(data).split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 3 {
        state[parts[0], default: [:]][parts[1]] = parts[2]
      } else if state.isEmpty, parts.count == 2, parts[0] == Self.versionKey, parts[1] != "\(Self.version)" {
        return .otherVersion
      }
    }
    return .state(state)
  }

  /// Replaces the saved state, unless it is in another version's format. Omits entries that contain tabs or line
  /// breaks.
  public func save(_ state: [String: [String: String]]) {
    guard !isOfOtherVersion else { return }
    let entries = state.flatMap { identifier, values in values.map { [identifier, $0.key, $0.value] } }
    let lines = entries.filter { entry in entry.allSatisfy { !$0.contains { $0 == "\t" || $0.isNewline } } }
      .map { $0.joined(separator: "\t") + "\n" }
    let text = "\(Self.versionKey)\t\(Self.version)\n" + lines.sorted().joined()
    try? folder.replace(name, with: text.utf8)
  }

  /// Whether the first line of the file names another version of the format.
  private var isOfOtherVersion: Bool {
    guard let file = FileHandle(forReadingAtPath: folder.path(of: name)) else { return false }
    defer { try? file.close() }
    let start = String(decoding: (try? file.read(upToCount: 40)) ?? Data(), as: UTF8.self)
    let line = start.prefix { $0 != "\n" }.split(separator: "\t")
    return line.count == 2 && line[0] == Self.versionKey && line[1] != "\(Self.version)"
  }

  /// Deletes the saved state.
  public func forget() {
    try? FileManager.default.removeItem(atPath: folder.path(of: name))
  }
}
