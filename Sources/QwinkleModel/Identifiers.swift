/// An identifier given by a server. Opaque: don't take it apart, and don't rely on its order.
public struct Identifier<Subject>: Hashable, Sendable, CustomStringConvertible {
  /// The identifier as the server wrote it.
  public let rawValue: String

  /// An identifier that the server wrote as `rawValue`.
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
