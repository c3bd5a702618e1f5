import Foundation

/// A small file in the private folder of an account that several programs may change.
struct KeptFile: Sendable {
  let folder: PrivateFolder
  let name: String

  /// The file `name` in `directory`, which is made when there is something to keep.
  init(directory: String, name: String) {
    folder = PrivateFolder(path: directory)
    self.name = name
  }

  /// What stands in it; nil where there is none, or it cannot be read.
  var contents: Data? { FileManager.default.contents(atPath: folder.path(of: name)) }

  var exists: Bool { FileManager.default.fileExists(atPath: folder.path(of: name)) }

  /// Runs `body` while no other program changes anything in the folder.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``, whatever `body` failed with.
  func whileLocked(_ body: (Held) throws -> Void) throws(StoreError) {
    do {
      let open = try folder.lock()
      defer { open.close() }
      try body(Held(file: self, open: open))
    } catch {
      throw .folderNotWritable(path: folder.path)
    }
  }

  /// The file while nobody else may change it.
  struct Held {
    fileprivate let file: KeptFile
    fileprivate let open: OpenFolder

    /// What stands in it; nil where there is none.
    ///
    /// - Throws: where there is one that cannot be read.
    func read() throws -> Data? {
      guard file.exists else { return nil }
      guard let data = file.contents else { throw CocoaError(.fileReadNoPermission) }
      return data
    }

    /// Puts it under another name that nothing has: somebody may yet read what this program cannot.
    func setAside() throws { _ = try file.folder.setAside(file.name) }

    func remove() throws { try open.remove(file.name) }

    func write(_ data: Data) throws { try open.replace(file.name, with: data) }
  }
}
