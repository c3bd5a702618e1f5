/// What resources are asked for by: an avatar, a qwink's pictures, a thread's, a timeline's page.
public struct ResourceTag: Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public var description: String { name }
}
