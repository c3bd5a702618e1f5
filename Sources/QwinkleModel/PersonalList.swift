/// A list of accounts that the user maintains, with a timeline for their posts.
public struct PersonalList: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<PersonalList>

  /// The replies that its timeline shows. Raw values as on the wire.
  public enum Replies: String, Hashable, Sendable, CaseIterable {
    /// Replies to accounts that the user follows.
    case followed
    /// Replies to accounts on the list.
    case list
    case none
  }

  public var id: ID
  public var title: String
  public var replies: Replies
  /// Whether the home timeline omits its members.
  public var isExclusive: Bool

  public init(id: ID, title: String, replies: Replies = .list, isExclusive: Bool = false) {
    self.id = id
    self.title = title
    self.replies = replies
    self.isExclusive = isExclusive
  }
}

extension Collection<PersonalList> {
  /// Returns the list with this title or id. An exact title takes precedence over an id, and an id over a title that
  /// differs in case.
  public func named(_ name: String) -> PersonalList? {
    first { $0.title == name } ?? first { $0.id.rawValue == name }
      ?? first { $0.title.lowercased() == name.lowercased() }
  }
}
