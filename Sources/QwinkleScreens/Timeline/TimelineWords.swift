import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal

/// The words of a timeline's states.
enum TimelineWords {
  static func title(of name: TimelineName) -> String {
    switch name {
    case .public: "Public"
    case .local: "Local"
    case .home: "Home"
    case .tag(let tag): "#\(tag)"
    case .qwinker: "Qwinks"
    case .bookmarks: "Marks"
    case .favourites: "Favourites"
    }
  }

  /// Stands where no rows are. `me` is nil until the account is known.
  @MainActor
  static func placeholder(for name: TimelineName, state: FeedState, me: Qwinker.ID?) -> PlaceholderWords.Lines {
    PlaceholderWords.state(state, fetching: fetching(name)) ?? nothing(in: name, me: me)
  }

  private static func fetching(_ name: TimelineName) -> String {
    switch name {
    case .public, .local, .home: "Fetching the \(title(of: name).lowercased()) timeline…"
    case .tag(let tag): "Fetching #\(tag)…"
    case .qwinker: "Fetching qwinks…"
    case .bookmarks: "Fetching what you keep…"
    case .favourites: "Fetching your favourites…"
    }
  }

  private static func nothing(in name: TimelineName, me: Qwinker.ID?) -> PlaceholderWords.Lines {
    switch name {
    case .home:
      PlaceholderWords.nothing(
        "Nobody you follow has written yet.", ("1", "goes to the public timeline"), ("6", "finds people"),
        ("c", "writes a qwink"))
    case .public, .local:
      PlaceholderWords.nothing(
        "Nobody has written here yet.", ("c", "writes the first qwink"), ("R", "looks again"))
    case .tag(let tag):
      PlaceholderWords.nothing("Nobody has written with #\(tag) yet.", ("c", "writes a qwink"), ("q", "goes back"))
    case .qwinker(let id) where id == me:
      PlaceholderWords.nothing("You have not written anything yet.", ("c", "writes a qwink"), ("q", "goes back"))
    case .qwinker:
      PlaceholderWords.nothing("Nothing of theirs can be read here.", ("q", "goes back"), ("R", "looks again"))
    case .bookmarks:
      PlaceholderWords.nothing(
        "You keep nothing yet.", ("m", "on a qwink keeps it for later, which nobody else sees"),
        ("1", "goes to the public timeline"))
    case .favourites:
      PlaceholderWords.nothing(
        "You have no favourites yet.", ("f", "on a qwink makes it one, and tells its author"),
        ("1", "goes to the public timeline"))
    }
  }
}
