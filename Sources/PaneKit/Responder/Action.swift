/// Something that a user can ask for, by name: `list.next`, `compose`. Keymaps turn keys into actions; responders
/// perform them.
public struct Action: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(stringLiteral value: String) {
    self.rawValue = value
  }

  public var description: String { rawValue }
}
