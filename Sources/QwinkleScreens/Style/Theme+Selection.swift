public import PaneKit
public import Terminal

extension Theme {
  /// Returns the style of text in the first line of the selection.
  ///
  /// A theme whose selected line has the colour of other text only adds that line's background and attributes to the
  /// text. In other themes the whole line has one colour, because the text's own may be unreadable on the background.
  /// `lineRole` is the role of the line's text.
  public func lit(_ role: StyleRole, in lineRole: StyleRole = .selectedLine) -> TextStyle {
    let line = self[.selectedLine]
    guard line.foreground == self[.text].foreground else { return self[role.isProminent ? .selectedName : lineRole] }
    let style = self[role]
    return TextStyle(style.foreground, on: line.background, style.attributes.union(line.attributes))
  }
}

extension StyleRole {
  private static let prominent: Set<StyleRole> = Set(coloredNames + [.name, .quietName, .selection])

  fileprivate var isProminent: Bool { Self.prominent.contains(self) }
}
