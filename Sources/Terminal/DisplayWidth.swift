/// How much room text takes. A user-perceived character (grapheme cluster) is reduced to a form on which terminals
/// agree; the full text stays in the model.
public enum DisplayWidth {
  /// `text` as the terminal can show it, for output that is not laid out in cells.
  public static func plain(_ text: String, form: TextForm) -> String {
    guard form.isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { $0 += $1.isNewline ? "\n" : ASCIIForm.text(of: $1) }
  }

  /// Columns that `text` takes on one row.
  public static func columns(of text: some StringProtocol, form: @autoclosure () -> TextForm = .current) -> Int {
    if let count = printableASCIICount(of: text) { return count }
    let form = form()
    return text.reduce(0) { $0 + columns(ofCluster: $1, form: form) }
  }

  /// `text`, cut at the end to fit into `columns`; what is cut ends in `…`. Empty where `columns` is below 1.
  public static func truncated(
    _ text: String, to columns: Int, form: @autoclosure () -> TextForm = .current
  ) -> String {
    guard columns > 0 else { return "" }
    if let count = printableASCIICount(of: text), count <= columns { return text }
    let form = form()

    // Where the text is cut if it turns out not to fit: one column stays for the `…`.
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

  /// At least 1.
  static func columns(ofCluster cluster: Character, form: TextForm) -> Int {
    let scalars = cluster.unicodeScalars
    if form.characters == .unicode, let first = scalars.first,
      scalars.index(after: scalars.startIndex) == scalars.endIndex
    {
      // Marks and controls are drawn as something of one column.
      return max(1, ScalarWidth.columns(of: first, in: form))
    }
    return RenderedGrapheme(reducing: cluster, form: form).columns
  }

  /// How many bytes `text` has, where each is a printable ASCII character; otherwise nil.
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
