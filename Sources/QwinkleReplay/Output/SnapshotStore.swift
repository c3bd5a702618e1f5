import FoundationEssentials
import SafeText

/// The expected snapshots of a tape: a folder of files `NAME.snapshot`.
public struct SnapshotStore: Sendable {
  /// The result of a check.
  public enum Outcome: Hashable, Sendable {
    case same
    /// Different; `report` is for the user.
    case differs(report: String)
    /// There is no expected snapshot, and none was written. The first run of a tape fails in this way.
    case missing(path: String)
    /// Written, either as a new file or over the expected snapshot.
    case written(path: String)
  }

  public let folder: String
  /// Whether to write snapshots that differ or are missing.
  public let updates: Bool

  /// Creates a store. Its `folder` is created on disk when the first snapshot is written.
  public init(folder: String, updates: Bool = false) {
    self.folder = folder
    self.updates = updates
  }

  /// Creates the store for the tape at `path`. The folder is next to the tape and has the same name: `search` for
  /// `search.tape`.
  public init(tape path: String, updates: Bool = false) {
    let ending = ".tape"
    self.init(
      folder: path.hasSuffix(ending) && path != ending ? String(path.dropLast(ending.count)) : path + ".snapshots",
      updates: updates)
  }

  public func path(of name: String) -> String { "\(folder)/\(name).snapshot" }

  /// Whether `name` is valid: 1 to 100 ASCII letters, digits, `_` and `-`.
  public static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0.isLetterOrDigit || "_-".utf8.contains($0) }
  }

  /// Compares `snapshot` with the expected snapshot called `name`. If ``updates`` is true, writes `snapshot` instead of
  /// reporting that the expected snapshot differs or is missing.
  ///
  /// - Throws: ``SnapshotStoreError`` if the name is invalid, or a file is malformed or cannot be read or written.
  public func check(_ name: String, _ snapshot: Snapshot) throws(SnapshotStoreError) -> Outcome {
    guard Self.isName(name) else { throw .badName(name) }
    let path = path(of: name)
    let expected = try contents(of: path)
    if let expected, expected.utf8.elementsEqual(snapshot.fileText.utf8) { return .same }
    if updates {
      try write(snapshot.fileText, to: path)
      return .written(path: path)
    }
    guard let expected else { return .missing(path: path) }
    do {
      let comparison = SnapshotComparison(expected: try Snapshot(parsing: expected), actual: snapshot)
      // Compare snapshots instead of texts, because an expected snapshot without roles can match an actual snapshot
      // that has roles.
      return comparison.isSame ? .same : .differs(report: comparison.report())
    } catch {
      throw .damaged(path: path, error)
    }
  }

  /// Returns the text of the file, or nil if it doesn't exist.
  private func contents(of path: String) throws(SnapshotStoreError) -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
    // Invalid UTF-8 becomes U+FFFD and is then compared like other text.
    return String(decoding: data, as: UTF8.self)
  }

  /// Writes atomically: readers see either the old file or the new one.
  private func write(_ text: String, to path: String) throws(SnapshotStoreError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .unwritable(path: path)
    }
  }
}
