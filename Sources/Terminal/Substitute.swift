import CWidth

/// Private-use characters of plane 16 that represent clusters in ncurses. An ncurses cell can contain only one
/// character of one or two columns and up to four combining marks, so any other cluster needs a substitute. Untrusted
/// text never contains substitutes: ``SafeText`` removes them, and ``CellGrid`` doesn't draw them. U+10EEEE is excluded
/// because it is kitty's placeholder for pictures.
public enum Substitute {
  /// Substitutes for the first column of a cluster. All are one column wide.
  public static let first: ClosedRange<UInt32> = 0x100000...0x107FFF
  /// Substitute for each further column of a cluster.
  public static let further = Unicode.Scalar(0x10FFFD as UInt32) ?? " "

  /// Marks without a width, in cells of a link. The first one plus a link's number marks that link's cells.
  public static let links = UInt32(QW_FIRST_LINK_MARK)...UInt32(QW_LAST_LINK_MARK)

  /// Whether a scalar is reserved for substitutes.
  static func isOne(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x100000 && scalar.value != 0x10EEEE }

  /// Whether a text begins with a spacing mark, for which some terminals use an additional column.
  public static func isSpacingMark(_ text: String) -> Bool {
    text.unicodeScalars.first.map { $0.value > 0x7F && $0.properties.generalCategory == .spacingMark } ?? false
  }

  /// Whether a cell's text needs a substitute. `columns` is the width of the text.
  public static func isNeeded(for text: String, columns: Int, form: TextForm) -> Bool {
    if form.drawsClustersWhole, isSpacingMark(text) { return true }
    // A text of up to four bytes in one column needs no substitute: it is a single character, or a Latin, Greek,
    // Cyrillic, Hebrew or Arabic letter with a mark.
    guard text.utf8.count > 4 || columns > 1 else { return false }
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
