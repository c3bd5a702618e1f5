/// Widths of content, in columns.
enum ContentWidth {
  /// Maximum width of text. Longer lines are hard to read.
  static let text = 80
  /// Maximum width of a form's fields, and of rows with a single line of text.
  static let fields = 100
  /// Minimum width of a list with a thread next to it. Narrower lists would have cells of ``SizeClass/compact``.
  static let listAndThread = 120
}
