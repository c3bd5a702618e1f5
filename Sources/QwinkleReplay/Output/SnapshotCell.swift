public import Terminal

/// A cell of a terminal's screen. Texts are compared scalar by scalar.
public struct SnapshotCell: Sendable {
  /// One grapheme cluster; empty in the second column of a wide cell.
  public let text: String
  /// 1 or 2; 0 in the second column of a wide cell.
  public let columns: Int
  let look: CellLook

  /// Creates a cell. `columns` is 2 for a wide cell, 0 for the second column of a wide cell, otherwise 1. Colours are
  /// terminal numbers; -1 is the terminal's default.
  public init(
    text: String = " ", columns: Int = 1, attributes: TextStyle.Attributes = [], foreground: Int = -1,
    background: Int = -1
  ) {
    self.init(
      text: text, columns: columns,
      look: CellLook(attributes: attributes, foreground: foreground, background: background))
  }

  init(text: String, columns: Int, look: CellLook) {
    self.look = look
    if columns == 0 {
      self.text = ""
      self.columns = 0
    } else {
      self.text = text.isEmpty ? " " : text
      self.columns = columns == 2 && !text.isEmpty ? 2 : 1
    }
  }

  public var attributes: TextStyle.Attributes { look.attributes }
  public var foreground: Int { look.foreground }
  public var background: Int { look.background }

  /// The second column of a wide cell: the empty cell that follows it.
  var secondColumn: SnapshotCell { SnapshotCell(text: "", columns: 0, look: look) }

  /// This cell, one column wide.
  var narrow: SnapshotCell { SnapshotCell(text: text, columns: 1, look: look) }

  func with(_ look: CellLook) -> SnapshotCell { SnapshotCell(text: text, columns: columns, look: look) }
}

extension SnapshotCell: Hashable {
  public static func == (one: SnapshotCell, other: SnapshotCell) -> Bool {
    one.columns == other.columns && one.look == other.look && one.hasText(of: other)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(look)
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// Whether both texts have the same bytes. `==` on strings isn't enough, because it ignores differences in
  /// normalization.
  func hasText(of other: SnapshotCell) -> Bool { text.utf8.elementsEqual(other.text.utf8) }
}

extension SnapshotCell {
  /// The text for files and reports. U+FFFD replaces a text with characters that would change the layout, such as a
  /// line break.
  var shownText: String { Self.isShown(text) ? text : "\u{FFFD}" }

  /// Whether the text is a single scalar that ``shownText`` doesn't replace.
  var isSimple: Bool { text.unicodeScalars.count == 1 && Self.isShown(text) }

  /// The scalars in hexadecimal, separated by dots.
  var scalarNumbers: String {
    text.unicodeScalars.map { String($0.value, radix: 16, uppercase: true) }.joined(separator: ".")
  }

  private static func isShown(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return false
      default: return true
      }
    }
  }
}
