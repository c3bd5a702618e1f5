import Pictures
import QwinkleServer
import Synchronization

/// Makes blurhashes for the service, in the child that decodes pictures.
final class BlurhashMaker: BlurhashMaking {
  /// Where more wait than these, a picture does without: nobody's upload waits long for another's.
  private static let mostWaiting = 4

  private let decoder: PictureDecoder
  private let waiting = Mutex(0)

  init(_ decoder: PictureDecoder = PictureDecoder()) {
    self.decoder = decoder
  }

  @concurrent func blurhash(of bytes: [UInt8]) async -> String? {
    let mayWait = waiting.withLock { count in
      guard count < Self.mostWaiting else { return false }
      count += 1
      return true
    }
    guard mayWait else { return nil }
    defer { waiting.withLock { $0 -= 1 } }
    let hash = try? await decoder.blurhash(of: bytes)
    // A child for each picture: what breaks one sees nobody else's.
    decoder.rest()
    return hash
  }
}
