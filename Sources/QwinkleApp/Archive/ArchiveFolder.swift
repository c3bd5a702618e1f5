import LibC
import QwinkleModel

/// A folder with an archive. Only its owner can access files written to it. Strangers may have chosen the paths inside:
/// these can't lead outside, neither by `..` nor by a symbolic link.
struct ArchiveFolder: Sendable {
  let path: String

  /// Names at the top of a folder that an export has written.
  private static let ownNames: Set<String> = ["actor.json", "outbox.json", ExportState.folder]

  init(_ path: String) {
    let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
    self.path = trimmed.isEmpty ? "/" : trimmed
  }

  // MARK: Writing

  /// Creates the folder for an export. Throws if it contains files that no export has written.
  func make() throws(AppError) {
    if mkdir(path, 0o700) == 0 { return }
    guard errno == EEXIST else { throw .failed("Can't create \(path): \(systemWords()).") }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
      throw .failed("\(path) isn't your own folder, or others can write to it. Name a new folder.")
    }
    guard let names = Self.names(in: path) else { throw .failed("\(path) isn't a folder that you can read.") }
    guard names.isEmpty || !Self.ownNames.isDisjoint(with: names) else {
      throw .failed("\(path) isn't empty. Name a new folder, or one with an export to continue.")
    }
    // Only now, because a folder that is refused may be one that others have to read, such as ~/public_html.
    guard chmod(path, 0o700) == 0 else { throw .failed("Can't make \(path) private: \(systemWords()).") }
  }

  /// Replaces a file. A program that ends early leaves the old file.
  func write(_ bytes: [UInt8], to relative: String) throws(AppError) {
    let file = try writer(of: relative)
    try file.write(bytes)
    try file.finish()
  }

  /// Starts to replace a file.
  func writer(of relative: String) throws(AppError) -> ArchiveWriter {
    guard let parts = Self.parts(of: relative) else { throw .failed("“\(relative)” isn't a path inside an archive.") }
    var folder = path
    for part in parts.dropLast() {
      folder += "/\(part)"
      if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .failed("Can't create \(folder): \(systemWords()).") }
      guard Self.kind(of: folder) == S_IFDIR else { throw .failed("\(folder) isn't a folder.") }
    }
    return try ArchiveWriter(path: "\(path)/\(parts.joined(separator: "/"))")
  }

  func remove(_ relative: String) {
    guard let parts = Self.parts(of: relative) else { return }
    let whole = "\(path)/\(parts.joined(separator: "/"))"
    if unlink(whole) != 0 { rmdir(whole) }
  }

  // MARK: Reading

  /// Returns the regular file at a path from an archive. Returns nil if it doesn't exist, if the path isn't inside the
  /// folder, or if a part of it is a symbolic link.
  func file(_ relative: String) -> DiskFile? {
    guard let parts = Self.parts(of: relative) else { return nil }
    var whole = path
    for (index, part) in parts.enumerated() {
      whole += "/\(part)"
      guard Self.kind(of: whole) == (index == parts.count - 1 ? S_IFREG : S_IFDIR) else { return nil }
    }
    return try? DiskFile(path: whole)
  }

  /// Returns a file's bytes. Returns nil if ``file(_:)`` does, or if the file has more than `most` bytes.
  func bytes(_ relative: String, most: Int) -> [UInt8]? {
    guard let file = file(relative), file.byteCount <= most else { return nil }
    return try? file.bytes()
  }

  /// Whether the folder has a file, a folder or a link with this name.
  func contains(_ name: String) -> Bool { Self.kind(of: "\(path)/\(name)") != nil }

  var exists: Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the parts of a path inside the archive, or nil if it could lead outside. Mastodon's paths may start with a
  /// slash.
  private static func parts(of relative: String) -> [String]? {
    guard relative.utf8.count <= 1024, !relative.utf8.contains(0) else { return nil }
    let inside = relative.hasPrefix("/") ? relative.dropFirst() : relative[...]
    let parts = inside.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !["", ".", ".."].contains($0) && $0.utf8.count <= 255 }) else { return nil }
    return parts
  }

  /// The kind of a file, without following a symbolic link.
  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  private static func names(in path: String) -> Set<String>? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: Set<String> = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.insert(name) }
    }
    return names
  }
}

/// Writes a file next to the old one, which it replaces at the end.
final class ArchiveWriter {
  private static let mostBuffered = 256 * 1024

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isOpen = true

  fileprivate init(path: String) throws(AppError) {
    self.path = path
    // A run that was ended may have left this file.
    unlink("\(path).part")
    descriptor = systemOpen("\(path).part", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .failed("Can't write \(path): \(systemWords()).") }
  }

  deinit {
    guard isOpen else { return }
    systemClose(descriptor)
    unlink("\(path).part")
  }

  func write(_ bytes: [UInt8]) throws(AppError) {
    buffer += bytes
    if buffer.count >= Self.mostBuffered { try flush() }
  }

  func finish() throws(AppError) {
    try flush()
    let isStored = fsync(descriptor) == 0
    isOpen = false
    guard systemClose(descriptor), isStored, rename("\(path).part", path) == 0 else { throw failure }
  }

  private func flush() throws(AppError) {
    guard systemWrite(buffer, to: descriptor) else { throw failure }
    buffer = []
  }

  private var failure: AppError { .failed("Can't write \(path): \(systemWords()).") }
}
