import Foundation
public import QwinkleModel

/// Private messages that are not known to have arrived, in a file of their own, oldest first: they outlive the program,
/// however it ends.
public struct OutgoingFile: Sendable {
  private let path: String

  /// The messages in `directory`, which is made when there is something to keep.
  public init(directory: String) {
    path = directory + "/messages.json"
  }

  /// What was kept; nothing where it cannot be read.
  public func load() -> [OutgoingMessage] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return (try? JSONDecoder().decode([OutgoingMessage].self, from: data)) ?? []
  }

  /// Keeps `messages` in place of what was kept.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``. What was kept before is still there.
  public func save(_ messages: [OutgoingMessage]) throws(StoreError) {
    guard !messages.isEmpty else {
      try? FileManager.default.removeItem(atPath: path)
      return
    }
    let directory = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try JSONEncoder().encode(messages).write(to: URL(fileURLWithPath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw .folderNotWritable(path: directory)
    }
  }
}
