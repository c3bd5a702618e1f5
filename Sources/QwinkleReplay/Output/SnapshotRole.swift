public import Terminal

/// A role of the theme, such as `accent`, with its look: the attributes and colours that it has on the terminal.
/// Snapshots use roles to name the styles of cells.
public struct SnapshotRole: Hashable, Sendable {
  /// The name in snapshot files, without colons and commas.
  public let name: String
  let look: CellLook

  /// Creates a role. Colours are terminal numbers; -1 is the terminal's default.
  public init(_ name: String, attributes: TextStyle.Attributes = [], foreground: Int = -1, background: Int = -1) {
    self.init(name, CellLook(attributes: attributes, foreground: foreground, background: background))
  }

  init(_ name: String, _ look: CellLook) {
    self.name = name
    self.look = look
  }
}

extension [SnapshotRole] {
  /// Returns the name of the role with this look, or a description of the look if there is no such role.
  func words(for look: CellLook) -> String {
    guard !isEmpty else { return look.words }
    return first { $0.look == look }?.name ?? look.literal
  }
}
