import FoundationEssentials
import PaneKit
import QwinkleModel
import Timekeeping

/// Strings of catching up.
enum CatchUpWords {
  static let title = "Catch up"
  static let resume = "resume"
  static let showsAll = (Action.catchUpTime.key, "shows all posts")
  static let opensHome = (Action.sectionHome.key, "opens Home")
  static let startsAgain = (Action.refresh.key, "loads new posts")
  static let resumes = (Action.pauseCatchUp.key, "resumes")
  static let gone = "This post was deleted."
  /// The longest time that `:catchup` accepts, in hours.
  static let mostHours = 7 * 24

  static func name(of view: CatchUpView) -> String {
    switch view {
    case .time: "time"
    case .authors: "users"
    case .threads: "threads"
    case .links: "links"
    case .pictures: "pictures"
    case .originals: "no replies"
    case .boosts: "boosts"
    }
  }

  static func name(of sort: CatchUpSort) -> String { "by \(sort.rawValue)" }

  /// Returns the text after the title.
  static func detail(since: String?, left: Int) -> String {
    let count = left == 0 ? "all seen" : "\(Counted.grouped(left)) left"
    return since.map { "since \($0) · \(count)" } ?? count
  }

  // MARK: Loading

  static func progress(_ count: Int, reached: String?) -> String {
    "loading: \(Counted.words(count, "post"))" + (reached.map { ", reached \($0)" } ?? "")
  }

  static func paused(_ count: Int, reached: String?) -> String {
    "paused: \(Counted.words(count, "post"))" + (reached.map { ", reached \($0)" } ?? "")
  }

  static func fetching(since: String?) -> String { "Loading posts\(since.map { " since \($0)" } ?? "")…" }

  static let pausedPlaceholder = "Loading is paused."
  static let pausedFooter = "Loading is paused · \(Action.pauseCatchUp.key) resumes"
  static let cancelled = "Loading was cancelled."
  static let cancelledFooter = "Loading was cancelled · \(Action.refresh.key) starts again"

  static let incomplete = "The server doesn't return all of these posts"
  static func limited(_ count: Int) -> String { "Only the newest \(Counted.grouped(count)) posts" }
  static func hidden(_ count: Int) -> String { "\(Counted.words(count, "post")) hidden" }

  // MARK: Nothing

  static func nothing(since: String?) -> String { "No new posts\(since.map { " since \($0)" } ?? "")." }

  /// Shown if a view has no rows although other views have some.
  static func nothing(in view: CatchUpView) -> String {
    switch view {
    case .links: "No links in these posts."
    case .pictures: "No pictures in these posts."
    case .originals: "All of these posts are replies."
    case .boosts: "No boosts among these posts."
    case .time, .authors, .threads: "No posts."
    }
  }

  // MARK: Rows

  static func heading(_ heading: CatchUpRow.Heading) -> String {
    let count = Counted.words(heading.count, "post")
    return switch heading.subject {
    case .author(let author):
      author.name == "@" + author.handle ? "\(author.name) · \(count)" : "\(author.name) · @\(author.handle) · \(count)"
    case .thread(_, let author): "Thread with \(author.name) · \(count)"
    }
  }

  /// Returns `shared by Anna`, `… by Anna and Ben` or `… by Anna and 2 more`.
  static func shared(by names: [String]) -> String {
    guard let first = names.first else { return "" }
    return switch names.count {
    case 1: "shared by \(first)"
    case 2: "shared by \(first) and \(names[1])"
    default: "shared by \(first) and \(names.count - 1) more"
    }
  }

  static func sharers(_ count: Int) -> String { Counted.words(count, "user") }

  // MARK: Results

  static func shown(_ view: CatchUpView, rows: Int, sort: CatchUpSort) -> String {
    "\(Counted.words(rows, view == .links ? "link" : "post")) · \(name(of: view)), \(name(of: sort))"
  }

  static func sorted(_ sort: CatchUpSort) -> String { "Sorted \(name(of: sort))" }

  static func read(to time: String) -> String { "Home is read to \(time)" }

  /// Reports that Home's read position is newer than the selected post.
  static func alreadyRead(to time: String) -> String { "Home is already read past \(time)" }

  static func badHours(_ text: String) -> String {
    "“\(text)” is not a time. Examples: :catchup, :catchup 12h, :catchup 2d; at most \(mostHours / 24) days"
  }

  /// Offered after a break.
  static func offer(hours: Int) -> String {
    "Away for \(hours < 48 ? Counted.words(hours, "hour") : Counted.words(hours / 24, "day")) · "
      + "\(Action.catchUp.key) catches up"
  }

  /// Returns the time in the title: `09:12`, `Thu 09:12`, or `12 Nov`.
  static func time(_ date: Date, at now: Date, in zone: ClockZone) -> String {
    var zone = zone
    if zone.form == .relative { zone.form = .clock }
    return RelativeTime.short(date, at: now, in: zone)
  }
}

/// The hours in an argument of `:catchup`.
enum CatchUpHours {
  /// Returns the hours in a text such as `12`, `12h` or `2d`. Nil if the text isn't valid or the time is too long.
  static func read(_ text: String) -> Int? {
    let isInDays = text.hasSuffix("d")
    let number = text.hasSuffix("h") || isInDays ? text.dropLast() : text[...]
    guard number.utf8.count <= 3, number.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(number), count > 0
    else { return nil }
    let hours = isInDays ? count * 24 : count
    return hours <= CatchUpWords.mostHours ? hours : nil
  }
}
