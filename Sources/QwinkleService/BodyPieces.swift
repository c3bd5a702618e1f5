import NIOCore

/// A large body in pieces, which tells how much of it has been taken to be sent.
struct BodyPieces: AsyncSequence, Sendable {
  /// The size of a piece.
  static let bytes = 64 << 10

  private let body: [UInt8]
  private let didSend: @Sendable (_ bytes: Int) -> Void

  init(_ body: [UInt8], didSend: @escaping @Sendable (_ bytes: Int) -> Void) {
    self.body = body
    self.didSend = didSend
  }

  func makeAsyncIterator() -> Iterator { Iterator(body: body, didSend: didSend) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let body: [UInt8]
    fileprivate let didSend: @Sendable (_ bytes: Int) -> Void
    private var sent = 0

    fileprivate init(body: [UInt8], didSend: @escaping @Sendable (_ bytes: Int) -> Void) {
      self.body = body
      self.didSend = didSend
    }

    /// The client asks for a piece when it has room for it.
    mutating func next() async -> ByteBuffer? {
      if sent > 0 { didSend(sent) }
      guard sent < body.count else { return nil }
      let end = Swift.min(sent + BodyPieces.bytes, body.count)
      defer { sent = end }
      return ByteBuffer(bytes: body[sent..<end])
    }
  }
}
