/// Identifies a pane of the window. The number is unique among the panes of an account's screen.
struct PaneID: Hashable, Sendable {
  let number: Int

  /// The pane of the current section while the panes follow the window's size.
  static let main = PaneID(number: 0)
  /// The messages next to the current section while the panes follow the window's size.
  static let messages = PaneID(number: 1)
}
