import FoundationEssentials

/// The snapshots that a tape expects: a folder with a file `NAME.snapshot` for each.
public struct SnapshotStore: Sendable {
  /// What came of a check.
  public enum Outcome: Hashable, Sendable {
    /// It is what was expected.
    case same
    /// It is not; what differs, for a person.
    case differs(report: String)
    /// There was nothing to compare it with, and nothing was written: a first recording fails.
    case missing(path: String)
    /// It was written, for the first time or over what was expected.
    case written(path: String)

    /// Whether a tape may go on.
    public var isFine: Bool {
      switch self {
      case .same, .written: true
      case .differs, .missing: false
      }
    }
  }

  public let folder: String
  /// Whether what differs or is missing is written.
  public let updates: Bool

  /// The snapshots in `folder`, which is made when there is something to write.
  public init(folder: String, updates: Bool = false) {
    self.folder = folder
    self.updates = updates
  }

  /// The snapshots of the tape at `path`: in the folder of its name beside it, `search` for `search.tape`.
  public init(tape path: String, updates: Bool = false) {
    let ending = ".tape"
    self.init(
      folder: path.hasSuffix(ending) && path != ending ? String(path.dropLast(ending.count)) : path + ".snapshots",
      updates: updates)
  }

  /// Where the snapshot `name` stands.
  public func path(of name: String) -> String { "\(folder)/\(name).snapshot" }

  /// Whether `name` may be a file: letters, digits, `_` and `-` of ASCII, at least one and at most 100.
  public static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Compares `snapshot` with what is expected under `name`; a report is made for a terminal of `reportColumns`.
  ///
  /// - Throws: where the name is none, or a file cannot be read or written.
  public func check(
    _ name: String, _ snapshot: Snapshot, reportColumns: Int = 80
  ) throws(SnapshotStoreError) -> Outcome {
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
      return .differs(report: comparison.report(columns: reportColumns))
    } catch {
      throw .damaged(path: path, error)
    }
  }

  /// The file's text; nil where there is none.
  private func contents(of path: String) throws(SnapshotStoreError) -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
    // What is no UTF-8 becomes U+FFFD, and differs.
    return String(decoding: data, as: UTF8.self)
  }

  /// Beside the old file first, so that whoever reads it sees one or the other.
  private func write(_ text: String, to path: String) throws(SnapshotStoreError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .unwritable(path: path)
    }
  }
}
