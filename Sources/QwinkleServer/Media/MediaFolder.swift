import FoundationEssentials
import LibC

/// The folder of media files next to the database. Each file is written once and never changed. All calls block.
struct MediaFolder: Sendable {
  /// A function with the signature of the system's `write`. Tests use it to simulate failures.
  typealias Write = @Sendable (Int32, UnsafeRawPointer, Int) -> Int

  let path: String
  private let write: Write

  init(_ path: String, write: @escaping Write = { systemWrite($0, $1, $2) }) {
    self.path = path
    self.write = write
  }

  /// The media folder of a database. The served database and the databases that it replaced share the folder `media`
  /// next to them. A backup's folder is `FILE.media` next to the backup.
  init(ofDatabase database: String) {
    let slash = database.lastIndex(of: "/").map { database.index(after: $0) } ?? database.startIndex
    let isServed = database[slash...].hasPrefix(ServiceFile.name)
    self.init(isServed ? "\(database[..<slash])media" : "\(database).media")
  }

  /// Returns a new file name that can't be guessed.
  static func newName(_ kind: Picture.Kind) -> String { "\(Secrets.make().prefix(32)).\(kind.suffix)" }

  /// Whether a text is a valid file name in this folder.
  static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == 32 && Picture.Kind.allCases.contains { $0.suffix == parts[1] }
      && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file that only its owner can read. When this returns, the file is durable.
  func add(_ bytes: [UInt8], as name: String) throws(ServiceError) {
    try make()
    let (target, partial) = (path(of: name), partialPath(of: name))
    unlink(partial)
    let file = systemOpen(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .system(partial) }
    do throws(ServiceError) {
      try write(bytes, to: file, partial)
      guard fsync(file) == 0 else { throw .system(partial) }
    } catch {
      close(file)
      unlink(partial)
      throw error
    }
    close(file)
    guard rename(partial, target) == 0 else { throw .system(target) }
    try flush()
  }

  private func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(ServiceError) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { $0.baseAddress.map { write(file, $0 + start, bytes.count - start) } ?? -1 }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(path) }
      start += count
    }
  }

  /// Deletes a file, and the partial file that a killed process may have left. Returns whether the file no longer
  /// exists.
  func remove(_ name: String) -> Bool {
    unlink(partialPath(of: name))
    return unlink(path(of: name)) == 0 || errno == ENOENT
  }

  /// Opens a file for reading. Returns nil if it doesn't exist.
  func file(_ name: String) throws(ServiceError) -> OpenFile? {
    let file = systemOpen(path(of: name), O_RDONLY | O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == EMFILE || errno == ENFILE { throw .busy(path: path(of: name)) }
      throw .system(path(of: name))
    }
    return OpenFile(file)
  }

  /// Returns the contents of a file, or nil if it doesn't exist.
  func bytes(of name: String) throws(ServiceError) -> [UInt8]? {
    guard let file = try file(name) else { return nil }
    return file.bytes(0..<file.size)
  }

  /// Creates the folder if it is missing.
  func make() throws(ServiceError) {
    guard mkdir(path, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw .system(path) }
  }

  /// Flushes the folder, so that previous renames are durable.
  func flush() throws(ServiceError) { try ServiceFile.flush(path) }

  static let partialSuffix = ".partial"

  private func partialPath(of name: String) -> String { "\(path)/\(name)\(Self.partialSuffix)" }
}

/// An open file. It is closed when the last reference is released.
final class OpenFile: Sendable {
  let descriptor: Int32
  /// In bytes.
  let size: Int

  /// Creates a file that owns `descriptor`.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var facts = stat()
    size = fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
  }

  deinit { close(descriptor) }

  /// Returns the bytes in a range, or fewer if the file ends earlier.
  func bytes(_ range: Range<Int>) -> [UInt8] { Self.bytes(range, of: descriptor) }

  static func bytes(_ range: Range<Int>, of descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count, let start = buffer.baseAddress {
        let more = pread(descriptor, start + count, range.count - count, off_t(range.lowerBound + count))
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { return }
        count += more
      }
    }
  }
}
