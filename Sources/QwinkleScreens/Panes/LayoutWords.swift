import PaneKit
import QwinkleConfig

/// Strings of layouts.
enum LayoutWords {
  static let title = "Layouts"
  static let unreadable = "In linear form, one pane is shown."

  static func shown(_ name: String) -> String { "Layout \(name)" }
  static func saved(_ name: String) -> String { "Layout \(name) saved in config.toml" }
  static func partial(_ name: String, visible: Int, of count: Int) -> String {
    "Layout \(name): \(visible) of \(count) panes fit in this window"
  }
  static func missing(_ name: String, _ reasons: [String]) -> String {
    "Layout \(name), incomplete: \(reasons.joined(separator: " "))"
  }
  static func late(_ name: String) -> String { "Layout \(name) is ready. :layout \(name) shows it." }
  static func twice(_ name: String) -> String { "\(name) is there twice." }
  static func unnamable(_ title: String) -> String {
    "“\(title)” can't be part of a saved layout. \(Action.closePane.key) closes it."
  }

  static func noLayout(_ name: String, nearest: String?) -> String {
    "No layout “\(name)”. " + (nearest.map { "Did you mean \($0)?" } ?? "List: :layout")
  }

  static func noView(_ name: String) -> String { "There is no view \(name)." }
  static func noList(_ title: String) -> String { "There is no list \(title)." }
  static func noChat(_ handles: [String]) -> String {
    "There is no chat with \(handles.map { "@\($0)" }.joined(separator: ", "))."
  }

  private static func meaning(_ layout: ReadyLayout) -> String {
    switch layout {
    case .auto: "the current section, and messages if they fit"
    case .messages: "the current section and messages"
    case .single: "only the current section"
    }
  }

  /// Lists all layouts, with the widths at which they are shown.
  static func list(_ layouts: [OwnLayout], _ widths: [LayoutWidth]) -> String {
    let rows =
      ReadyLayout.allCases.map { (name: $0.rawValue, text: meaning($0)) }
      + layouts.map { (name: $0.name, text: $0.text) }
    let longest = rows.map(\.name.count).max() ?? 0
    return rows.map { row in
      let columns = widths.filter { $0.name == row.name }.map { "from \($0.columns) columns" }
      let name = row.name + String(repeating: " ", count: longest - row.name.count)
      return "\(name)  \(row.text)" + (columns.isEmpty ? "" : "  · \(columns.joined(separator: ", "))")
    }.joined(separator: "\n")
  }
}
