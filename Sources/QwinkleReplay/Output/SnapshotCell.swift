public import Terminal

/// A cell as a terminal shows it. Two are equal where their text is, scalar by scalar.
public struct SnapshotCell: Sendable {
  /// One cluster; empty in the second column of a wide one.
  public let text: String
  /// 1 or 2; 0 in the second column of a wide cluster.
  public let columns: Int
  let look: CellLook

  /// A cell of `columns` columns: 2 is a wide cluster, 0 the second column of one. The colours are the terminal's
  /// numbers; -1 is its own.
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

  /// What follows this cell, where it is wide.
  var secondColumn: SnapshotCell { SnapshotCell(text: "", columns: 0, look: look) }

  /// This cell where there is room for one column.
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

  /// Strings are equal where they mean the same; cells where they are the same.
  func hasText(of other: SnapshotCell) -> Bool { text.utf8.elementsEqual(other.text.utf8) }
}

extension SnapshotCell {
  /// The text as a file or a report can show it in its place: U+FFFD for what would not stay there.
  var shownText: String { Self.isShown(text) ? text : "\u{FFFD}" }

  /// Whether ``shownText`` says all.
  var isSimple: Bool { text.unicodeScalars.count == 1 && Self.isShown(text) }

  /// The scalars in hexadecimal digits, with dots between.
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
