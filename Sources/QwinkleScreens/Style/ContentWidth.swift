/// Widths of content, in columns.
enum ContentWidth {
  /// Maximum width of text. Longer lines are hard to read.
  static let text = 80
  /// Maximum width of a form's fields, and of the texts of conversations.
  static let fields = 100
  /// Minimum width of a pane that previews the thread of the selected qwink next to its list.
  static let listAndThread = 120
}
