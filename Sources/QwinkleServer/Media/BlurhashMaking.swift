/// Computes blurhashes: short strings that clients draw as a blurred preview while a picture loads. The service itself
/// never decodes pictures, because a malicious file could exploit a decoder. Can be called from any thread.
public protocol BlurhashMaking: Sendable {
  /// Returns the blurhash of a picture file, or nil if it can't be computed.
  @concurrent func blurhash(of bytes: [UInt8]) async -> String?
}
