/// The display width of text in columns. Each user-perceived character (grapheme cluster) is measured in a reduced form
/// that all terminals draw alike (``RenderedGrapheme``). Text is reduced only for measuring and drawing, and stored in
/// full.
public enum DisplayWidth {
  /// Returns `text` for output that is not laid out in cells: in ASCII if `form` allows nothing else, otherwise
  /// unchanged.
  public static func plain(_ text: String, form: TextForm) -> String {
    guard form.isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { $0 += $1.isNewline ? "\n" : ASCIIForm.text(of: $1) }
  }

  /// Returns the number of columns that `text` takes on one row.
  public static func columns(of text: some StringProtocol, form: @autoclosure () -> TextForm = .current) -> Int {
    if let count = printableASCIICount(of: text) { return count }
    let form = form()
    if let count = PlainScalar.columns(of: text, form: form) { return count }
    return text.reduce(0) { $0 + columns(ofCluster: $1, form: form) }
  }

  /// Truncates `text` to fit into `columns`. Truncated text ends in `…`. Returns an empty string if `columns` is less
  /// than 1.
  public static func truncated(
    _ text: String, to columns: Int, form: @autoclosure () -> TextForm = .current
  ) -> String {
    guard columns > 0 else { return "" }
    if let count = printableASCIICount(of: text), count <= columns { return text }
    let form = form()
    if let count = PlainScalar.columns(of: text, form: form), count <= columns { return text }

    // End of the part to keep if the text doesn't fit. One column is reserved for the `…`.
    var cut = text.startIndex
    var used = 0
    var index = text.startIndex
    while index < text.endIndex {
      used += self.columns(ofCluster: text[index], form: form)
      guard used <= columns else { return text[..<cut].withoutSpacesAtEnd + "…" }
      index = text.index(after: index)
      if used < columns { cut = index }
    }
    return text
  }

  /// Returns the number of columns of a cluster, which is at least 1.
  static func columns(ofCluster cluster: Character, form: TextForm) -> Int {
    let scalars = cluster.unicodeScalars
    if form.characters == .unicode, let first = scalars.first,
      scalars.index(after: scalars.startIndex) == scalars.endIndex
    {
      // A single mark or control has no width, but is drawn in one column.
      return max(1, ScalarWidth.columns(of: first, in: form))
    }
    return RenderedGrapheme(reducing: cluster, form: form).columns
  }

  /// Returns the number of bytes in `text` if all are printable ASCII characters, otherwise nil.
  private static func printableASCIICount(of text: some StringProtocol) -> Int? {
    let utf8 = text.utf8
    let isPlain =
      utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
      ?? utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    return isPlain ? utf8.count : nil
  }
}

extension Substring {
  fileprivate var withoutSpacesAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
