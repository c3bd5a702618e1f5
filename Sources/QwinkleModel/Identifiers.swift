/// An identifier assigned by a server. Opaque: don't parse it or rely on its order.
public struct Identifier<Subject>: Hashable, Sendable, CustomStringConvertible {
  /// The identifier as the server sent it.
  public let rawValue: String

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
