import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// Strings of a list of people.
enum QwinkerListWords {
  static func title(of name: QwinkerListName, qwinker: Qwinker?) -> String {
    switch name {
    case .followers: qwinker.map { "Followers of @\($0.handle)" } ?? "Followers"
    case .following: qwinker.map { "Followed by @\($0.handle)" } ?? "Following"
    case .boosters: "Boosted by"
    case .favouriters: "Favourited by"
    case .requesters: "Follow requests"
    case .blocked: "Blocked"
    case .muted: "Muted"
    case .members: "On the list"
    case .collection(_, let title): title.isEmpty ? "Collection" : title
    }
  }

  static let adds = "add"
  static let removes = "remove"

  static func member(_ qwinker: Qwinker, isOn: Bool) -> String { "@\(qwinker.handle) \(isOn ? "added" : "removed")" }

  static func mutes(_ isOn: Bool) -> String { isOn ? "mute" : "unmute" }
  static func blocks(_ isOn: Bool) -> String { isOn ? "block" : "unblock" }

  static let fetching = "Fetching people…"

  static func nothing(in name: QwinkerListName) -> String {
    switch name {
    case .followers: "No followers, or the server hides them."
    case .following: "Follows no one, or the server hides it."
    case .boosters: "No boosts, or the server hides them."
    case .favouriters: "No favourites, or the server hides them."
    case .requesters: "No follow requests."
    case .blocked: "You have blocked no one."
    case .muted: "You have muted no one."
    case .members: "This list is empty."
    case .collection: "No accounts, or you may not see them."
    }
  }
}
