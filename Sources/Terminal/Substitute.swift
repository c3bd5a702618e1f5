import CWidth

/// Private characters of plane 16 that replace clusters in ncurses. A cell in ncurses contains only one character with
/// a width of one or two columns, and up to four marks. Untrusted text never contains substitutes: ``SafeText`` removes
/// them, and ``CellGrid`` doesn't draw them. U+10EEEE is excluded because kitty's pictures are placed with it.
public enum Substitute {
  /// Substitutes for the first column of a cluster. All are one column wide.
  public static let first: ClosedRange<UInt32> = 0x100000...0x107FFF
  /// Substitute for each further column of a cluster.
  public static let further = Unicode.Scalar(0x10FFFD as UInt32) ?? " "

  /// Whether a scalar is reserved for substitutes.
  static func isOne(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x100000 && scalar.value != 0x10EEEE }

  /// Whether a text begins with a mark that some terminals give a column.
  public static func isSpacingMark(_ text: String) -> Bool {
    text.unicodeScalars.first.map { $0.value > 0x7F && $0.properties.generalCategory == .spacingMark } ?? false
  }

  /// Whether a cell's text, which is `columns` wide, needs a substitute.
  public static func isNeeded(for text: String, columns: Int, form: TextForm) -> Bool {
    if form.drawsClustersWhole, isSpacingMark(text) { return true }
    // A single character, or a Latin, Greek, Cyrillic, Hebrew or Arabic letter with a mark, needs no substitute.
    guard text.utf8.count > 4 || columns > 2 else { return false }
    let scalars = text.unicodeScalars
    guard let base = scalars.first, columns <= 2, ScalarWidth.columns(of: base, in: form) == columns else {
      return true
    }
    var marks = 0
    for scalar in scalars.dropFirst() {
      marks += 1
      if marks > 4 || ScalarWidth.columns(of: scalar, in: form) != 0 { return true }
    }
    return false
  }
}
