public import QwinkleModel

/// A request body that contains a file. The file is read while the body is sent.
public struct FileBody: Hashable, Sendable {
  /// The bytes before the file.
  public var start: [UInt8]
  public var file: DiskFile
  /// The bytes after the file.
  public var end: [UInt8]

  public init(start: [UInt8], file: DiskFile, end: [UInt8]) {
    self.start = start
    self.file = file
    self.end = end
  }

  /// Size of the body in bytes.
  public var count: Int { start.count + file.byteCount + end.count }

  /// Returns all bytes.
  public func bytes() throws(DiskFile.Fault) -> [UInt8] { try start + file.bytes() + end }

  /// Reads a body in pieces. If the file changes, reading fails before the last bytes, so that no server accepts the
  /// body as complete.
  public struct Reader {
    private enum Place {
      case start
      case file(DiskFile.Reader)
      case end
    }

    private let body: FileBody
    private var place = Place.start

    public init(_ body: FileBody) { self.body = body }

    /// Returns the next piece, or an empty one at the end. Reads at most `most` bytes of the file at a time.
    public mutating func next(most: Int) throws(DiskFile.Fault) -> [UInt8] {
      switch place {
      case .start:
        place = try .file(DiskFile.Reader(body.file))
        return body.start
      case .file(let reader):
        let piece = try reader.next(most: most)
        guard piece.isEmpty else { return piece }
        place = .end
        return body.end
      case .end: return []
      }
    }
  }
}

extension TransportError {
  /// Creates the error of a request whose file can't be read.
  public init(_ fault: DiskFile.Fault) {
    self =
      switch fault {
      case .missing: .file(reason: "The file was moved or deleted before it was uploaded.")
      case .changed, .isFolder: .file(reason: "The file changed before it was uploaded.")
      case .unreadable: .file(reason: "The file can't be read any more.")
      }
  }
}
