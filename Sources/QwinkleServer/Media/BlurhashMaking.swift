/// Tells what pictures look like from afar: as few characters, which programs show until the picture is there. The
/// service decodes no picture itself: what does may be broken by a hostile file. Callable from anywhere.
public protocol BlurhashMaking: Sendable {
  /// The blurhash of a picture's file; nil if there is none to be had.
  @concurrent func blurhash(of bytes: [UInt8]) async -> String?
}
