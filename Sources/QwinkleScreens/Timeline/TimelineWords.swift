import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// Strings of a timeline.
enum TimelineWords {
  static let emptyHome = "No one you follow has posted yet."
  static let nothingHere = "Nothing here yet."
  static let nothingToShow = "Nothing to show."
  static let nothingPosted = "You have posted nothing yet."
  static let nothingTrending = "Nothing is trending here."
  static let noBookmarks = "No bookmarks yet."
  static let noFavourites = "No favourites yet."
  static let writes = (Action.compose.key, "writes a post")
  static let writesFirst = (Action.compose.key, "writes the first post")
  static let findsPeople = (Action.sectionSearch.key, "finds people")

  static func title(of name: TimelineName) -> String {
    switch name {
    case .public: "Public"
    case .local: "Local"
    case .home: "Home"
    case .tag(let tag): tags(tag)
    case .qwinker: "Posts"
    case .bookmarks: "Bookmarks"
    case .favourites: "Favourites"
    case .part(let part, _, let handle): title(of: part, by: handle)
    case .list(_, let title): title.isEmpty ? "List" : title
    case .trending: "Trending"
    case .quotes: "Quotes"
    }
  }

  private static func title(of part: QwinkerPart, by handle: String) -> String {
    let isKnown = !handle.isEmpty
    return switch part {
    case .withoutReplies: isKnown ? "@\(handle) without replies" : "Posts without replies"
    case .media: isKnown ? "Pictures and videos of @\(handle)" : "Pictures and videos"
    case .pinned: isKnown ? "Pinned by @\(handle)" : "Pinned posts"
    }
  }

  /// Returns `#garden`, or `#garden or #kiosk`.
  private static func tags(_ joined: String) -> String {
    TimelineName.tags(in: joined).map { "#\($0)" }.joined(separator: " or ")
  }

  /// Returns the text shown while the timeline is empty. `me` is nil until the account is loaded.
  @MainActor
  static func placeholder(for name: TimelineName, state: FeedState, me: Qwinker.ID?) -> PlaceholderWords.Lines {
    PlaceholderWords.state(state, fetching: fetching(name)) ?? nothing(in: name, me: me)
  }

  static func fetching(_ name: TimelineName) -> String {
    switch name {
    case .public, .local, .home: "Fetching the \(title(of: name).lowercased()) timeline…"
    case .tag(let tag): "Fetching \(tags(tag))…"
    case .qwinker: "Fetching posts…"
    case .bookmarks: "Fetching your bookmarks…"
    case .favourites: "Fetching your favourites…"
    case .part: "Fetching posts…"
    case .list: "Fetching the list…"
    case .trending: "Fetching trending posts…"
    case .quotes: "Fetching quotes…"
    }
  }

  private static func nothing(in name: TimelineName, me: Qwinker.ID?) -> PlaceholderWords.Lines {
    switch name {
    case .home:
      PlaceholderWords.nothing(emptyHome, PlaceholderWords.opensPublic, findsPeople, writes)
    case .public, .local:
      PlaceholderWords.nothing(nothingHere, writesFirst, PlaceholderWords.refreshes)
    case .tag(let tag):
      PlaceholderWords.nothing("Nothing tagged \(tags(tag)) yet.", writes, PlaceholderWords.goesBack)
    case .qwinker(let id) where id == me:
      PlaceholderWords.nothing(nothingPosted, writes, PlaceholderWords.goesBack)
    case .qwinker:
      PlaceholderWords.nothing(nothingToShow, PlaceholderWords.goesBack, PlaceholderWords.refreshes)
    case .part(.media, _, _):
      PlaceholderWords.nothing("No pictures or videos.", PlaceholderWords.goesBack, PlaceholderWords.refreshes)
    case .part:
      PlaceholderWords.nothing(nothingToShow, PlaceholderWords.goesBack, PlaceholderWords.refreshes)
    case .list:
      PlaceholderWords.nothing(
        "No one on this list has posted yet.", PlaceholderWords.goesBack, PlaceholderWords.refreshes)
    case .trending:
      PlaceholderWords.nothing(nothingTrending, PlaceholderWords.goesBack, PlaceholderWords.refreshes)
    case .quotes:
      PlaceholderWords.nothing(
        "No quotes, or the server hides them.", PlaceholderWords.goesBack, PlaceholderWords.refreshes)
    case .bookmarks:
      PlaceholderWords.nothing(
        noBookmarks, (Action.bookmark.key, "bookmarks a post; only you see that"), PlaceholderWords.opensPublic)
    case .favourites:
      PlaceholderWords.nothing(
        noFavourites, (Action.favourite.key, "favourites a post and notifies its author"),
        PlaceholderWords.opensPublic)
    }
  }

  static let fetchingOlder = "Fetching older posts…"
  static let notLoaded = "not loaded"
  static let passedGap = "Passed a gap"
  /// The text before the time, in the line between new and read qwinks.
  static let newSinceStart = "New since"
  static let saidNewSinceStart = "From here up: new since"
  static let saidNewSinceStartBelow = "From here down: new since"

  /// Returns the text of a gap in several forms, the longest first. `loadedCount` is the number of qwinks loaded so
  /// far, or nil if the gap isn't loading.
  static func gap(_ missing: MissingCount?, loadedCount: Int?, isSelected: Bool) -> [String] {
    if let loadedCount { return ["\(loadedCount) loaded · \(Action.interrupt.key) stops"] }
    let words = missingWords(missing)
    let loads = "\(words) · \(Action.open.key) loads them"
    return isSelected ? ["\(loads), nearest first", loads] : [words]
  }

  /// Returns the text of a gap in linear output.
  static func saidGap(_ missing: MissingCount?, loadedCount: Int?) -> String {
    loadedCount.map { "Loading the gap: \($0) so far. \(Action.interrupt.key) stops." }
      ?? "Gap: \(missingWords(missing)). \(Action.open.key) loads them."
  }

  /// Returns the message after a jump past a gap.
  static func passed(_ missing: MissingCount?) -> String { "\(passedGap) · \(missingWords(missing))" }

  /// Returns the text between new and read qwinks. `date` is the time of the newest read qwink.
  static func newSince(_ date: Date, now: Date, zone: ClockZone) -> String {
    "\(newSinceStart) \(time(date, now: now, zone: zone))"
  }

  /// Returns the text next to the oldest new qwink in linear output. `isBelow` is whether new qwinks are below it.
  static func saidNewSince(_ date: Date, isBelow: Bool = false, now: Date, zone: ClockZone) -> String {
    "\(isBelow ? saidNewSinceStartBelow : saidNewSinceStart) \(time(date, now: now, zone: zone))."
  }

  /// Returns `14:05`, `yesterday 14:05`, `Friday 14:05`, or `12 Nov 14:05`.
  private static func time(_ date: Date, now: Date, zone: ClockZone) -> String {
    let clock = RelativeTime.clock(date, in: zone)
    return switch RelativeTime.day(date, at: now, in: zone) {
    case "Today": clock
    case "Yesterday": "yesterday \(clock)"
    case let day: "\(day) \(clock)"
    }
  }

  private static func missingWords(_ missing: MissingCount?) -> String {
    guard let missing, missing.atLeast > 0 else { return "more \(notLoaded)" }
    return "\(missing.atLeast)\(missing.isExact ? "" : "+") \(notLoaded)"
  }
}
