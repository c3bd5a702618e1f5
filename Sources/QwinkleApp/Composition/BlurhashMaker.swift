import Pictures
import Synchronization

/// Creates blurhashes for the embedded server. Pictures are decoded in a child process.
final class BlurhashMaker: Sendable {
  /// Maximum number of pictures being processed or queued. Further pictures get no blurhash, so that their uploads
  /// don't wait long.
  private static let mostWaiting = 4

  private let decoder = PictureDecoder()
  private let waiting = Mutex(0)

  /// Returns the blurhash of a picture file, or nil if it can't be computed.
  @concurrent func blurhash(of bytes: [UInt8]) async -> String? {
    let mayWait = waiting.withLock { count in
      guard count < Self.mostWaiting else { return false }
      count += 1
      return true
    }
    guard mayWait else { return nil }
    defer { waiting.withLock { $0 -= 1 } }
    let hash = try? await decoder.blurhash(of: bytes)
    // End the child process after each picture, so that a picture that exploits the decoder can't read other users'
    // pictures.
    decoder.rest()
    return hash
  }
}
