import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// The words of a list of people.
enum QwinkerListWords {
  static func title(of name: QwinkerListName, qwinker: Qwinker?) -> String {
    switch name {
    case .followers: qwinker.map { "Followers of @\($0.handle)" } ?? "Followers"
    case .following: qwinker.map { "Followed by @\($0.handle)" } ?? "Following"
    case .boosters: "Boosted by"
    case .favouriters: "Favourite of"
    }
  }

  /// Stands where no rows are.
  static func placeholder(for name: QwinkerListName, state: FeedState) -> PlaceholderWords.Lines {
    PlaceholderWords.state(state, fetching: "Fetching who that is…")
      ?? PlaceholderWords.nothing(nothing(in: name), ("q", "goes back"), ("R", "looks again"))
  }

  private static func nothing(in name: QwinkerListName) -> String {
    switch name {
    case .followers: "Nobody follows here yet, or the server does not tell."
    case .following: "Nobody is followed yet, or the server does not tell."
    case .boosters: "Nobody has boosted it, or the server does not tell."
    case .favouriters: "It is nobody's favourite, or the server does not tell."
    }
  }
}
