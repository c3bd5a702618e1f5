/// An identifier that a server gave. It is opaque: compared for equality only, never for order, never taken apart.
public struct Identifier<Subject>: Hashable, Sendable, CustomStringConvertible {
  /// The identifier as the server wrote it.
  public let rawValue: String

  /// The identifier that the server wrote as `rawValue`.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public var description: String { rawValue }
}

extension Identifier: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
