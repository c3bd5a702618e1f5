/// Something that a user can ask for, by name: `list.next`, `compose`. Keymaps turn keys into actions; responders
/// perform them.
public struct Action: StringName, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }
}

/// A name that stands in sources as a string literal.
public protocol StringName: Hashable, Sendable, RawRepresentable<String>, ExpressibleByStringLiteral {
  init(rawValue: String)
}

extension StringName {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}
