public import QwinkleModel

/// The kind of a write in progress. If the program quits before the write ends, the write may be lost, or its outcome
/// remains unknown.
public enum WriteKind: Hashable, CaseIterable {
  case post, edit, message, deletion, reaction(Reaction), follow, requestReply, change

  /// In the order of ``words(for:)``.
  public static var allCases: [WriteKind] {
    [.post, .edit, .message, .deletion] + Reaction.allCases.map { .reaction($0) } + [.follow, .requestReply, .change]
  }

  /// Returns a list such as `a post and 2 favourites`, or an empty string if there are no items.
  public static func words(for items: [WriteKind]) -> String {
    let order = allCases
    let parts = Set(items).sorted { order.firstIndex(of: $0) ?? .max < order.firstIndex(of: $1) ?? .max }.map { kind in
      let count = items.count { $0 == kind }
      return count == 1 ? kind.words.one : "\(count) \(kind.words.more)"
    }
    return parts.listed()
  }

  private var words: (one: String, more: String) {
    switch self {
    case .post: ("a post", "posts")
    case .edit: ("an edit", "edits")
    case .message: ("a direct message", "direct messages")
    case .deletion: ("a deletion", "deletions")
    case .reaction(let reaction): ("a \(reaction.noun)", "\(reaction.noun)s")
    case .follow: ("a follow", "follows")
    case .requestReply: ("an answer to a follow request", "answers to follow requests")
    case .change: ("a change", "changes")
    }
  }
}
