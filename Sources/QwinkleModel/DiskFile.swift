import LibC

/// A regular file that the user chose. Reading fails if the file has changed since this value was created.
public struct DiskFile: Hashable, Sendable {
  public enum Fault: Error, Hashable, Sendable {
    case missing
    case isFolder
    /// The file can't be read, or it's a device or a pipe.
    case unreadable
    /// The file was replaced, or its size or modification time has changed.
    case changed
  }

  public let path: String
  public let byteCount: Int
  private let device: UInt64
  private let node: UInt64
  private let modifiedSeconds: Int
  private let modifiedNanoseconds: Int

  /// Checks the file at `path` without opening it. Follows symbolic links.
  public init(path: String) throws(Fault) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .missing }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isFolder
    // Reading a device may never end, and a pipe may never deliver data.
    default: throw .unreadable
    }
    self.path = path
    byteCount = Int(facts.st_size)
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    node = UInt64(truncatingIfNeeded: facts.st_ino)
    modifiedSeconds = Int(facts.st_mtim.tv_sec)
    modifiedNanoseconds = Int(facts.st_mtim.tv_nsec)
  }

  /// Returns the first bytes, at most `most`.
  public func start(most: Int) throws(Fault) -> [UInt8] { try Reader(self).next(most: most) }

  /// Returns all bytes.
  public func bytes() throws(Fault) -> [UInt8] { try Reader(self).next(most: byteCount) }

  /// Returns the bytes at these offsets.
  public func bytes(in range: Range<Int>) throws(Fault) -> [UInt8] {
    try Reader(self, from: range.lowerBound).next(most: range.count)
  }

  /// Reads a file in pieces.
  public final class Reader {
    private let file: DiskFile
    private let descriptor: Int32
    private var offset: Int

    /// Starts at an offset in bytes, by default at the start.
    public init(_ file: DiskFile, from offset: Int = 0) throws(Fault) {
      // A pipe that has replaced the file must not block the thread.
      let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable }
      self.file = file
      self.descriptor = descriptor
      self.offset = min(max(0, offset), file.byteCount)
      lseek(descriptor, off_t(self.offset), SEEK_SET)
    }

    deinit { close(descriptor) }

    /// Returns the next bytes, at most `most`. Empty at the end. Throws if the file has changed.
    public func next(most: Int) throws(Fault) -> [UInt8] {
      let wanted = min(most, file.byteCount - offset)
      var fault: Fault?
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        while count < wanted, let start = buffer.baseAddress {
          let got = read(descriptor, start + count, wanted - count)
          if got < 0, errno == EINTR { continue }
          guard got > 0 else {
            fault = got == 0 ? .changed : .unreadable
            return
          }
          count += got
        }
      }
      if let fault { throw fault }
      offset += piece.count
      let now = try DiskFile(path: file.path)
      guard now == file else { throw .changed }
      return piece
    }
  }
}
