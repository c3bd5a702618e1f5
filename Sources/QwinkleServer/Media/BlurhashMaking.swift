/// Makes blurhashes of pictures: few characters, which programs show as a blur until the picture is there. The service
/// itself decodes no picture, as a hostile file may break what does. Callable from anywhere.
public protocol BlurhashMaking: Sendable {
  /// The blurhash of a picture's file; nil if there is none to be had.
  @concurrent func blurhash(of bytes: [UInt8]) async -> String?
}
