public import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import Terminal

/// A controller that fills a pane, or a part of it, and provides the state for the bars around the pane. The header
/// shows the controller's `title`.
@MainActor
public protocol Screen: Pane {
  /// Opens other screens. Held weakly.
  var navigator: (any Navigator)? { get set }
  /// The top row, with the title and the reader's position.
  var titleRule: RuleView { get }
  var status: ScreenStatus { get }
  /// The selected qwink, if any. Keys such as reply and boost act on it.
  var selectedQwink: Qwink? { get }
  /// The selected qwink if it is of another server and the user's server's copy isn't known yet. Requests to the user's
  /// server can't contain its ids, so actions first find the copy; see ``Navigator/find(_:on:then:)``.
  var foreignQwink: Qwink? { get }
  /// Called when the user's server has found its copy of a row of another server.
  func didFind(_ copy: Qwink, of foreign: Qwink.ID)
  /// The qwink whose thread is shown next to the screen, if any.
  var previewedQwink: Qwink? { get }
  /// The qwinker that keys such as author and follow act on.
  var selectedQwinker: Qwinker? { get }
  /// Identifies the selected row. Nil if no row is selected.
  var selectedRowKey: AnyHashable? { get }
  /// The reason why no action is possible on the selected row, if any.
  var refusalWords: String? { get }
  /// The text that all visible rows contain if the user limited the list to it; nil if all rows are shown.
  var limitWords: String? { get }
  /// A description of the rows that the user has hidden, shown in the title; nil if all rows are shown.
  var hidingWords: String? { get }
  /// Hides or shows rows. Returns a message about the result, or nil if the screen doesn't support the choice.
  func take(_ choice: PaneChoice) -> String?
  /// Fetches new rows at once.
  func refresh()
  /// Called when the program resumes after it was suspended. Fetches new rows without moving the reader.
  func wakeUp()
  /// Selects an unread row. Returns false if all rows are read.
  func selectUnread(_ step: UnreadStep) -> Bool
  /// Called on a section's root screen when the user switches to the section.
  func visitDidBegin()
  /// Called before a key or mouse event is handled while the screen has keyboard focus.
  func readerWillAct()
  /// Called after a key or mouse event was handled while the screen has keyboard focus. Rows that were visible before
  /// or after the event may count as read. `wasHere` is true if the screen also had focus before the event.
  func readerDidAct(wasHere: Bool)
}

/// A choice made with `:hide`, `:show` or `:only`.
public enum PaneChoice: Hashable, Sendable {
  /// Hide these kinds too.
  case hide(Set<HiddenKind>)
  /// Show these kinds again.
  case show(Set<HiddenKind>)
  /// Hide qwinks that match a rule, until the end of the visit. `text` is the rule as the reader typed it.
  case hideMatching(ViewRule, text: String)
  /// Show all qwinks again, also qwinks that a rule hides.
  case showAll
  /// Mute the hashtag of the timeline, or unmute it. With `seconds`, mute it for this time.
  case muteTag(seconds: Int?)
  /// Show only notifications of these types; all notifications if the set is empty.
  case only(Set<NotificationType>)
}

/// The unread row to go to.
public enum UnreadStep: Sendable {
  case first, next, previous, last

  /// Returns the index to select. `unread` is in ascending order.
  public func index(in unread: [Int], from selected: Int?) -> Int? {
    switch self {
    case .first: unread.first
    case .next: unread.first { $0 > selected ?? -1 }
    case .previous: unread.last { $0 < selected ?? .max }
    case .last: unread.last
    }
  }
}

extension Screen {
  /// Shows the path to the screen, bright if the screen has keyboard focus, followed by `detail`.
  func showTitle(_ path: [String], detail: String? = nil) {
    let hasKeys = hasKeys ?? true
    let role = hasKeys ? StyleRole.strong : .dim
    titleRule.optionalRuns = max(0, path.count - 1)
    // If the title is too long, the name is truncated and `detail`, such as a handle, stays whole.
    titleRule.yieldingRun = detail == nil ? nil : path.count - 1
    titleRule.title =
      path.dropLast().map { TextRun("\($0) › ", role) } + path.suffix(1).map { TextRun($0, role) }
      + (detail.map { [TextRun("  \($0)", .dim)] } ?? [])
    if let hidingWords { titleRule.title.append(TextRun("  \(hidingWords)", .dim)) }
    if let limitWords { titleRule.title.append(TextRun(" & \(limitWords)", .warning)) }
    titleRule.linearKind = hasKeys ? .title : nil
  }

  public func wakeUp() {}
  public var foreignQwink: Qwink? { nil }
  public func didFind(_ copy: Qwink, of foreign: Qwink.ID) {}
  public var previewedQwink: Qwink? { selectedQwink }
  public var selectedQwinker: Qwinker? { selectedQwink?.author }
  public var selectedRowKey: AnyHashable? {
    selectedQwink.map { AnyHashable($0.rowID) } ?? selectedQwinker.map { AnyHashable($0.id) }
  }
  public var refusalWords: String? { nil }
  public var limitWords: String? { nil }
  public var hidingWords: String? { nil }
  public func take(_ choice: PaneChoice) -> String? { nil }
  public func selectUnread(_ step: UnreadStep) -> Bool { false }
  public func visitDidBegin() {}
  public func readerWillAct() {}
  public func readerDidAct(wasHere: Bool) {}
}

/// A screen's state for the status bar.
public struct ScreenStatus: Sendable {
  /// Whether the screen is fetching, has failed or is offline.
  public var state: FeedState
  public var isEmpty: Bool
  /// Number of rows above the visible rows that the reader hasn't seen, or below them if ``isNewBelow`` is true.
  public var newCount = 0
  /// Whether new rows arrive below the visible rows.
  public var isNewBelow = false
  /// Number of unread rows in the whole list.
  public var unreadCount = 0
  /// Whether there may be more new rows than counted.
  public var hasMoreNew = false
  /// Time of the next automatic retry.
  public var nextAttempt: Date?
  /// The progress of the current operation in a few words, if any.
  public var progress: String?
  /// The most useful actions for a beginner, most useful first. Help is always added.
  public var hints: [Action] = []
  /// Pending actions whose countdown is visible in a row.
  public var visibleCountdowns: Set<PendingActions.Kind> = []
  /// Hints that replace the keymap's, for keys that do something else on this screen.
  public var words: [Action: String] = [:]
}
