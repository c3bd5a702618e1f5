/// A mouse action by the user.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The main button was pressed.
    case press
    /// The mouse was moved while the main button was pressed.
    case drag
    /// The main button was released.
    case release
    case wheelUp
    case wheelDown
  }

  public var kind: Kind
  /// The cell under the pointer, counted from the top left corner of the screen. Never negative, but it may be outside
  /// a terminal that has become smaller since.
  public var point: Point
  public var modifiers: Key.Modifiers

  public init(_ kind: Kind, at point: Point, _ modifiers: Key.Modifiers = []) {
    self.kind = kind
    self.point = point
    self.modifiers = modifiers
  }
}
