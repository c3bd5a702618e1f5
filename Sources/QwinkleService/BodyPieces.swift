import NIOCore
import QwinkleModel
import QwinkleWire

/// A large request body in pieces, read from a file if it contains one. Reports how many bytes have been passed to the
/// HTTP client.
struct BodyPieces: AsyncSequence, Sendable {
  /// The size of a piece, in bytes.
  static let bytes = 64 << 10

  fileprivate enum Body: Sendable {
    case bytes([UInt8])
    case file(FileBody)
  }

  private let body: Body
  private let didSend: @Sendable (_ bytes: Int) -> Void

  init(_ body: [UInt8], didSend: @escaping @Sendable (_ bytes: Int) -> Void) {
    self.body = .bytes(body)
    self.didSend = didSend
  }

  init(_ body: FileBody, didSend: @escaping @Sendable (_ bytes: Int) -> Void) {
    self.body = .file(body)
    self.didSend = didSend
  }

  func makeAsyncIterator() -> Iterator { Iterator(body: body, didSend: didSend) }

  struct Iterator: AsyncIteratorProtocol {
    private let body: Body
    private let didSend: @Sendable (_ bytes: Int) -> Void
    private var reader: FileBody.Reader?
    private var sent = 0

    fileprivate init(body: Body, didSend: @escaping @Sendable (_ bytes: Int) -> Void) {
      self.body = body
      self.didSend = didSend
      if case .file(let file) = body { reader = FileBody.Reader(file) }
    }

    /// The HTTP client requests a piece only when it has room for it, so the previous pieces count as sent.
    mutating func next() async throws -> ByteBuffer? {
      if sent > 0 { didSend(sent) }
      let piece = try nextPiece()
      sent += piece.count
      return piece.isEmpty ? nil : ByteBuffer(bytes: piece)
    }

    private mutating func nextPiece() throws(TransportError) -> ArraySlice<UInt8> {
      switch body {
      case .bytes(let bytes): return bytes[sent..<Swift.min(sent + BodyPieces.bytes, bytes.count)]
      case .file:
        do throws(DiskFile.Fault) {
          return try reader?.next(most: BodyPieces.bytes)[...] ?? []
        } catch {
          throw TransportError(error)
        }
      }
    }
  }
}
