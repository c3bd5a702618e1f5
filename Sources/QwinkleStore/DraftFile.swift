import Foundation
public import QwinkleModel

/// The entry that was being written and not sent, in a file of its own. Kept on every pause in typing,
/// so that nothing typed is lost however the program ends.
public struct DraftFile: Sendable {
  private let path: String

  /// The draft in `directory`, which is made when there is something to keep.
  public init(directory: String) {
    path = directory + "/draft.json"
  }

  /// What was kept; nil where nothing was, or it cannot be read.
  public func load() -> Entry? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? JSONDecoder().decode(Entry.self, from: data)
  }

  /// Keeps `entry`, or forgets what was kept where it is nil or empty.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``. What was kept before is still there.
  public func save(_ entry: Entry?) throws(StoreError) {
    guard let entry, !entry.text.isEmpty else {
      try? FileManager.default.removeItem(atPath: path)
      return
    }
    let directory = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try JSONEncoder().encode(entry).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .folderNotWritable(path: directory)
    }
  }
}
