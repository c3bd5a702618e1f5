/// What somebody does with the mouse.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The main button went down.
    case press
    /// The mouse moved with that button down.
    case drag
    /// The button went up again.
    case release
    case wheelUp
    case wheelDown
  }

  public var kind: Kind
  /// The cell under the pointer, from the upper left corner of the screen. Never negative; it may lie outside a
  /// terminal that has become smaller since.
  public var point: Point
  public var modifiers: Key.Modifiers

  public init(_ kind: Kind, at point: Point, _ modifiers: Key.Modifiers = []) {
    self.kind = kind
    self.point = point
    self.modifiers = modifiers
  }
}
