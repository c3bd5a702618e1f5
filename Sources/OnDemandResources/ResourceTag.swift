/// A name for a group of resources: for example, one avatar, or all pictures of a qwink (a post), a thread or a
/// timeline page.
public struct ResourceTag: Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public var description: String { name }
}
