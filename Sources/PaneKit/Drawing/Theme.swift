public import Terminal

/// The role of a piece of text, which determines its style.
public struct StyleRole: StringName {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let text: StyleRole = "text"
  public static let dim: StyleRole = "dim"
  public static let accent: StyleRole = "accent"
  public static let strong: StyleRole = "strong"
  public static let warning: StyleRole = "warning"
  public static let error: StyleRole = "error"
  public static let selection: StyleRole = "selection"
  public static let rule: StyleRole = "rule"
  /// The name of a key that is available.
  public static let key: StyleRole = "key"
}

/// Styles by role. A role without a style uses the style of ``StyleRole/text``.
public struct Theme: Hashable, Sendable {
  private var styles: [StyleRole: TextStyle]

  public init(_ styles: [StyleRole: TextStyle]) {
    self.styles = styles
  }

  /// Returns the theme with all styles changed by `transform`.
  public func map(_ transform: (TextStyle) -> TextStyle) -> Theme { Theme(styles.mapValues(transform)) }

  /// Returns the theme with the given styles replaced.
  public func with(_ styles: [StyleRole: TextStyle]) -> Theme { Theme(self.styles.merging(styles) { $1 }) }

  /// All roles and their styles, sorted by name.
  public var looks: [(role: StyleRole, style: TextStyle)] {
    styles.map { ($0.key, $0.value) }.sorted { $0.role.rawValue < $1.role.rawValue }
  }

  public subscript(role: StyleRole) -> TextStyle {
    styles[role] ?? styles[.text] ?? .plain
  }
}
