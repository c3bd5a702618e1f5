/// Facts about a picture that servers send with attachments and link previews.
enum PictureFacts {
  /// Returns a width or height in pixels, or nil if it isn't positive.
  static func length(_ number: Int?) -> Int? { number.flatMap { $0 > 0 ? min($0, 1_000_000) : nil } }

  /// Returns the text if it can be a BlurHash: printable ASCII, and no longer than nine by nine components in base 83.
  static func blurhash(_ text: String) -> String? {
    (6...168).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
  }
}
