import QwinkleModel

extension RichText {
  /// The text on one line, for cells that show only its start.
  var oneLine: String {
    paragraphs.map(\.plainText).joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
