import PaneKit

/// Texts of all forms.
enum FormWords {
  static let saving = "Saving…"
  static let unsaved = "Unsaved changes. \(Action.formSave.key) saves, \(Action.formLeave.key) again discards."

  /// Shown if not all rows of a form fit: `3/14`.
  static func place(_ row: Int, of count: Int) -> String { "\(row)/\(count)" }

  static func notSaved(_ reason: String) -> String { "Not saved. \(reason)" }

  /// The length of a field and its usual limit: `name 4 / 30`.
  static func counter(_ label: String, _ count: Int, limit: Int) -> String {
    "\(label.lowercased()) \(count) / \(limit)"
  }
}
