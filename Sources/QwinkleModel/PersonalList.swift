/// A list that the user keeps of people, with a timeline of its own.
public struct PersonalList: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<PersonalList>

  /// Which replies its timeline shows. Raw values as on the wire.
  public enum Replies: String, Hashable, Sendable, CaseIterable {
    /// Those to people whom the user follows.
    case followed
    /// Those to people on the list.
    case list
    case none
  }

  public var id: ID
  public var title: String
  public var replies: Replies
  /// Whether the home timeline leaves out the people on it.
  public var isExclusive: Bool

  public init(id: ID, title: String, replies: Replies = .list, isExclusive: Bool = false) {
    self.id = id
    self.title = title
    self.replies = replies
    self.isExclusive = isExclusive
  }
}

extension Collection<PersonalList> {
  /// The list with this title or id; nil if there is none. Case counts only between lists whose titles differ in it.
  public func named(_ name: String) -> PersonalList? {
    first { $0.title == name } ?? first { $0.id.rawValue == name }
      ?? first { $0.title.lowercased() == name.lowercased() }
  }
}
