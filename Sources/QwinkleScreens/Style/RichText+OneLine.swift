import QwinkleModel

extension RichText {
  /// The whole text on one line, for places that show only its beginning.
  var oneLine: String {
    paragraphs.map(\.plainText).joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
