import CWidth

/// Private characters of plane 16 that take the place of clusters in ncurses, whose cells hold one character with a
/// column or two of its own, and four marks. Text from outside never has one: ``SafeText`` removes them, and
/// ``CellGrid`` does not draw them. U+10EEEE is none: kitty's pictures are placed with it.
public enum StandIn {
  /// Each stands for a cluster, in its first column. All are one column wide.
  public static let first: ClosedRange<UInt32> = 0x100000...0x107FFF
  /// Stands in each further column of a cluster.
  public static let further = Unicode.Scalar(0x10FFFD as UInt32) ?? " "

  /// Whether nobody else may draw a scalar.
  static func isOne(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x100000 && scalar.value != 0x10EEEE }

  /// Whether a text begins with a mark that has room of its own on some terminals.
  public static func isSpacingMark(_ text: String) -> Bool {
    text.unicodeScalars.first.map { $0.value > 0x7F && $0.properties.generalCategory == .spacingMark } ?? false
  }

  /// Whether a cell's text, which has so many columns, needs one.
  public static func isNeeded(for text: String, columns: Int, form: TextForm) -> Bool {
    if form.drawsClustersWhole, isSpacingMark(text) { return true }
    // One character, or one of Latin, Greek, Cyrillic, Hebrew or Arabic with a mark.
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
