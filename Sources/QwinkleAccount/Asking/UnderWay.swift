import QwinkleModel

/// What changes something on the server and is on its way there: what would be lost, or not be known of, if the program
/// ended.
public enum UnderWay: Int, Hashable, CaseIterable {
  case post, edit, message, deletion, boost, favourite, bookmark, follow, requestReply

  /// `a post and 2 favourites`; empty where nothing is under way.
  public static func words(for items: [UnderWay]) -> String {
    let parts = allCases.compactMap { kind -> String? in
      let count = items.count { $0 == kind }
      return count == 0 ? nil : count == 1 ? kind.words.one : "\(count) \(kind.words.more)"
    }
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
  }

  private var words: (one: String, more: String) {
    switch self {
    case .post: ("a post", "posts")
    case .edit: ("an edit", "edits")
    case .message: ("a private message", "private messages")
    case .deletion: ("a deletion", "deletions")
    case .boost: ("a boost", "boosts")
    case .favourite: ("a favourite", "favourites")
    case .bookmark: ("a mark", "marks")
    case .follow: ("a follow", "follows")
    case .requestReply: ("a reply to a follow request", "replies to follow requests")
    }
  }
}

extension QwinkFeed {
  /// What is on its way to the server.
  public var underWay: [UnderWay] {
    var items = postings.values.map { $0.edited == nil ? UnderWay.post : .edit }
    let keys = Set(postings.values.map(\.entry.idempotencyKey))
    for purpose in purposes.values {
      switch purpose {
      case .post(let entry): if !keys.contains(entry.idempotencyKey) { items.append(.post) }
      case .edit(_, let entry): if !keys.contains(entry.idempotencyKey) { items.append(.edit) }
      case .delete: items.append(.deletion)
      case .react(let key, _):
        switch key.reaction {
        case .boost: items.append(.boost)
        case .favourite: items.append(.favourite)
        case .bookmark: items.append(.bookmark)
        }
      case .follow: items.append(.follow)
      case .answerRequest: items.append(.requestReply)
      default: break
      }
    }
    return items
  }
}

extension Inbox {
  /// What is on its way to the server.
  public var underWay: [UnderWay] {
    let deletions = purposes.values.count { if case .delete = $0 { true } else { false } }
    return outgoing.filter { $0.failure == nil }.map { _ in .message }
      + Array(repeating: .deletion, count: deletions)
  }
}
