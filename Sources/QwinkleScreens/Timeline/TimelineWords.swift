import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The words of a timeline's states.
enum TimelineWords {
  static func title(of name: TimelineName) -> String {
    switch name {
    case .public: "Public"
    case .local: "Local"
    case .home: "Home"
    case .tag(let tag): tags(tag)
    case .qwinker: "Qwinks"
    case .bookmarks: "Bookmarks"
    case .favourites: "Favourites"
    case .part(let part, _, let handle): title(of: part, by: handle)
    case .list(_, let title): title.isEmpty ? "List" : title
    case .trending: "Trending"
    }
  }

  private static func title(of part: QwinkerPart, by handle: String) -> String {
    let isKnown = !handle.isEmpty
    return switch part {
    case .withoutReplies: isKnown ? "@\(handle) without replies" : "Qwinks without replies"
    case .media: isKnown ? "Pictures and videos of @\(handle)" : "Pictures and videos"
    case .pinned: isKnown ? "Pinned by @\(handle)" : "Pinned qwinks"
    }
  }

  /// `#garden`, or `#garden or #kiosk`.
  private static func tags(_ joined: String) -> String {
    TimelineName.tags(in: joined).map { "#\($0)" }.joined(separator: " or ")
  }

  /// Stands where no rows are. `me` is nil until the account is known.
  @MainActor
  static func placeholder(for name: TimelineName, state: FeedState, me: Qwinker.ID?) -> PlaceholderWords.Lines {
    PlaceholderWords.state(state, fetching: fetching(name)) ?? nothing(in: name, me: me)
  }

  private static func fetching(_ name: TimelineName) -> String {
    switch name {
    case .public, .local, .home: "Fetching the \(title(of: name).lowercased()) timeline…"
    case .tag(let tag): "Fetching \(tags(tag))…"
    case .qwinker: "Fetching qwinks…"
    case .bookmarks: "Fetching your bookmarks…"
    case .favourites: "Fetching your favourites…"
    case .part: "Fetching qwinks…"
    case .list: "Fetching the list…"
    case .trending: "Fetching what is trending…"
    }
  }

  private static func nothing(in name: TimelineName, me: Qwinker.ID?) -> PlaceholderWords.Lines {
    switch name {
    case .home:
      PlaceholderWords.nothing(
        "Nobody you follow has posted yet.", ("1", "opens the public timeline"), ("6", "finds people"),
        ("c", "writes a qwink"))
    case .public, .local:
      PlaceholderWords.nothing(
        "Nothing here yet.", ("c", "writes the first qwink"), ("R", "refreshes"))
    case .tag(let tag):
      PlaceholderWords.nothing("Nothing tagged \(tags(tag)) yet.", ("c", "writes a qwink"), ("q", "goes back"))
    case .qwinker(let id) where id == me:
      PlaceholderWords.nothing("You have posted nothing yet.", ("c", "writes a qwink"), ("q", "goes back"))
    case .qwinker:
      PlaceholderWords.nothing("Nothing to show.", ("q", "goes back"), ("R", "refreshes"))
    case .part(.media, _, _):
      PlaceholderWords.nothing("No pictures or videos.", ("q", "goes back"), ("R", "refreshes"))
    case .part:
      PlaceholderWords.nothing("Nothing to show.", ("q", "goes back"), ("R", "refreshes"))
    case .list:
      PlaceholderWords.nothing(
        "Nobody on this list has posted yet.", ("q", "goes back"), ("R", "refreshes"))
    case .trending:
      PlaceholderWords.nothing("Nothing is trending here.", ("q", "goes back"), ("R", "refreshes"))
    case .bookmarks:
      PlaceholderWords.nothing(
        "No bookmarks yet.", ("m", "bookmarks a qwink; only you see that"), ("1", "opens the public timeline"))
    case .favourites:
      PlaceholderWords.nothing(
        "No favourites yet.", ("f", "favourites a qwink and notifies its author"),
        ("1", "opens the public timeline"))
    }
  }

  static let fetchingOlder = "Fetching older qwinks…"

  /// Stands in a gap, the longest form first. `loadedCount` is how many have come while it is loaded; nil if it isn't.
  static func gap(_ missing: MissingCount?, loadedCount: Int?, isSelected: Bool) -> [String] {
    if let loadedCount { return ["\(loadedCount) loaded · ^C stops"] }
    guard isSelected else { return [notLoaded(missing)] }
    return ["\(notLoaded(missing)) · Enter loads them, nearest first", "\(notLoaded(missing)) · Enter loads them"]
  }

  /// The same, said in linear form.
  static func saidGap(_ missing: MissingCount?, loadedCount: Int?) -> String {
    loadedCount.map { "Loading the gap: \($0) so far. ^C stops." } ?? "Gap: \(notLoaded(missing)). Enter loads them."
  }

  /// Said when a jump passes gaps.
  static func passed(_ missing: MissingCount?) -> String { "Passed a gap · \(notLoaded(missing))" }

  /// Stands between what is new and what was read. `date` is the time of the newest qwink read.
  static func newSince(_ date: Date, now: Date, zone: ClockZone) -> String {
    "New since \(time(date, now: now, zone: zone))"
  }

  /// The same, said in linear form after the oldest new qwink.
  static func saidNewSince(_ date: Date, now: Date, zone: ClockZone) -> String {
    "From here up: new since \(time(date, now: now, zone: zone))."
  }

  /// `14:05`, `yesterday 14:05`, `Friday 14:05`, `12 Nov 14:05`.
  private static func time(_ date: Date, now: Date, zone: ClockZone) -> String {
    let clock = RelativeTime.clock(date, in: zone)
    return switch RelativeTime.day(date, at: now, in: zone) {
    case "Today": clock
    case "Yesterday": "yesterday \(clock)"
    case let day: "\(day) \(clock)"
    }
  }

  private static func notLoaded(_ missing: MissingCount?) -> String {
    guard let missing, missing.atLeast > 0 else { return "more not loaded" }
    return "\(missing.atLeast)\(missing.isExact ? "" : "+") not loaded"
  }
}
