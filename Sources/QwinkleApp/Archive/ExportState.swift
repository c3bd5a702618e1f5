import Foundation
import LibC
import QwinkleModel

/// The posts that an unfinished export has received, and the cursor of the next page. They are in a folder inside the
/// archive until the export is complete.
@MainActor
final class ExportState {
  nonisolated static let folder = ".unfinished"
  private static let progressFile = "\(folder)/progress.json"
  private static let postsFile = "\(folder)/posts"

  /// The position of an unfinished export.
  struct Progress: Codable, Equatable {
    /// The id on the web of the exported account.
    var owner: String
    /// The address of the next page, or nil at the start and at the end.
    var cursor: String?
    var isComplete = false
    /// The length of the posts file that belongs to the cursor.
    var byteCount = 0
  }

  /// A post in the file.
  struct Entry {
    var offset: Int
    var length: Int
    /// Milliseconds since 1970.
    var time: Int64
  }

  private(set) var progress: Progress
  private let archive: ArchiveFolder
  private let lock: Lock
  private let descriptor: Int32

  /// Opens the state of an export. Throws if the folder has an unfinished export of another account, or if another
  /// program exports to it now.
  init(_ archive: ArchiveFolder, owner: String) throws(AppError) {
    self.archive = archive
    lock = try Lock(archive)
    let saved = archive.bytes(Self.progressFile, most: 1 << 20).flatMap {
      try? JSONDecoder().decode(Progress.self, from: Data($0))
    }
    if let saved, saved.owner != owner {
      throw .failed("\(archive.path) has an unfinished export of \(saved.owner). Name another folder.")
    }
    var progress = saved ?? Progress(owner: owner)
    if saved == nil { try archive.write([], to: Self.postsFile) }
    let path = "\(archive.path)/\(Self.postsFile)"
    descriptor = archive.file(Self.postsFile) == nil ? -1 : systemOpen(path, O_RDWR | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .failed("Can't open \(path). Delete \(archive.path) and export again.") }
    // A run that was ended may have written posts without their cursor.
    if (archive.file(Self.postsFile)?.byteCount ?? 0) < progress.byteCount { progress = Progress(owner: owner) }
    ftruncate(descriptor, off_t(progress.byteCount))
    lseek(descriptor, 0, SEEK_END)
    self.progress = progress
    try save()
  }

  deinit { systemClose(descriptor) }

  /// Stores the posts of a page, each as the server sent it, and the cursor of the next page.
  func add(_ posts: [[UInt8]], next: PageCursor?) throws(AppError) {
    try append(posts)
    progress.cursor = next?.url
    progress.isComplete = next == nil
    try save()
  }

  /// Stores posts that the user wrote after the first run: all pages or none. After an interruption, the next run would
  /// mistake the posts of the first pages for the end of the new ones.
  func addNewer(_ pages: [[[UInt8]]]) throws(AppError) {
    for posts in pages { try append(posts) }
    try save()
  }

  private func append(_ posts: [[UInt8]]) throws(AppError) {
    // Line breaks can't be inside a JSON string.
    let lines = posts.flatMap { $0.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } + [0x0A] }
    guard systemWrite(lines, to: descriptor) else {
      throw .failed("Can't write \(archive.path)/\(Self.postsFile): \(systemWords()).")
    }
    progress.byteCount += lines.count
  }

  private func save() throws(AppError) {
    try archive.write(Array((try? JSONEncoder().encode(progress)) ?? Data()), to: Self.progressFile)
  }

  /// Calls `body` with the offset and the JSON of each post.
  func forEach(_ body: (Int, [UInt8]) throws -> Void) throws {
    var offset = 0
    var rest: [UInt8] = []
    var position = 0
    while position < progress.byteCount {
      let bytes = try read(position, min(256 * 1024, progress.byteCount - position))
      position += bytes.count
      rest += bytes
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: 0x0A) {
        try body(offset + start, Array(rest[start..<end]))
        start = end + 1
      }
      rest.removeFirst(start)
      offset += start
    }
  }

  func post(_ entry: Entry) throws(AppError) -> [UInt8] { try read(entry.offset, entry.length) }

  /// Throws if the bytes can't be read, because an export without them would seem complete.
  private func read(_ offset: Int, _ count: Int) throws(AppError) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let start = buffer.baseAddress {
        let got = pread(descriptor, start + filled, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { return }
        filled += got
      }
    }
    guard bytes.count == count else { throw .failed("Can't read \(archive.path)/\(Self.postsFile).") }
    return bytes
  }

  /// Removes the files, after the archive is complete.
  func finish() {
    for name in [Self.progressFile, Self.postsFile, Self.folder] { archive.remove(name) }
  }

  /// Reserves a folder for one export. Two exports at once would overwrite each other's posts.
  private final class Lock {
    private let descriptor: Int32

    init(_ archive: ArchiveFolder) throws(AppError) {
      descriptor = systemOpen(archive.path, O_RDONLY | O_DIRECTORY)
      guard descriptor >= 0 else { throw .failed("Can't open \(archive.path): \(systemWords()).") }
      // Some network drives have no locks.
      guard systemLock(descriptor) || errno != EWOULDBLOCK else {
        throw .failed("Another program exports to \(archive.path) now. Wait for it, or name another folder.")
      }
    }

    deinit { systemClose(descriptor) }
  }
}
