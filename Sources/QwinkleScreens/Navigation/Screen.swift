public import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import Terminal

/// A controller that fills a pane, with its state for the bars around it. Its `title` is its name in the header.
@MainActor
public protocol Screen: Pane {
  /// Where it leads from here. Held weakly.
  var navigator: (any Navigator)? { get set }
  /// Its top row, with its title and the reader's position.
  var titleRule: RuleView { get }
  var status: ScreenStatus { get }
  /// The qwink that keys such as reply and boost act on; nil if none is selected.
  var selectedQwink: Qwink? { get }
  /// The qwink whose thread stands beside the screen; nil: none.
  var previewedQwink: Qwink? { get }
  /// The qwinker that keys such as author and follow act on.
  var selectedQwinker: Qwinker? { get }
  /// Why nothing can be done to the selected row; nil: for no reason of its own.
  var refusalWords: String? { get }
  /// The words that its rows are limited to; nil: all rows are shown.
  var limitWords: String? { get }
  /// What the reader leaves out of it, in words for its title; nil: nothing.
  var hidingWords: String? { get }
  /// Leaves out or shows what the reader asks for. Returns what is said about that; nil: nothing can be left out here.
  func take(_ choice: PaneChoice) -> String?
  /// Fetches news at once.
  func refresh()
  /// The program goes on after it was stopped: fetches what has come since, without moving the reader.
  func wakeUp()
  /// Selects an unread row. Returns false if there is none.
  func selectUnread(_ step: UnreadStep) -> Bool
  /// The reader has come to the section of which this is the root.
  func visitDidBegin()
  /// A key or the mouse is about to do something while this screen has the keys.
  func readerWillAct()
  /// A key or the mouse did something while this screen has the keys: what was in sight before, and is now, may count
  /// as read. `wasHere`: it had the keys before, too.
  func readerDidAct(wasHere: Bool)
}

/// What `:hide`, `:show` and `:only` ask of a screen.
public enum PaneChoice: Hashable, Sendable {
  /// Leave out these kinds too.
  case hide(Set<HiddenKind>)
  /// Shows them again.
  case show(Set<HiddenKind>)
  /// Show only notifications of these types; all if there are none.
  case only(Set<NotificationType>)
}

/// Which unread row to go to.
public enum UnreadStep: Sendable {
  case first, next, previous, last

  /// The index to select among `unread`, which is ascending.
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
  /// Shows the way here, bright where the keys are, and `detail` behind it.
  func showTitle(_ path: [String], detail: String? = nil) {
    let hasKeys = window?.rootResponder?.chain.contains { $0 === self } ?? true
    let role = hasKeys ? StyleRole.strong : .dim
    titleRule.optionalRuns = max(0, path.count - 1)
    // A name yields to the handle behind it.
    titleRule.yieldingRun = detail == nil ? nil : path.count - 1
    titleRule.title =
      path.dropLast().map { TextRun("\($0) › ", role) } + path.suffix(1).map { TextRun($0, role) }
      + (detail.map { [TextRun("  \($0)", .dim)] } ?? [])
    if let hidingWords { titleRule.title.append(TextRun("  \(hidingWords)", .dim)) }
    if let limitWords { titleRule.title.append(TextRun(" & \(limitWords)", .warning)) }
    titleRule.linearKind = hasKeys ? .title : nil
  }

  public func wakeUp() {}
  public var selectedQwink: Qwink? { nil }
  public var previewedQwink: Qwink? { selectedQwink }
  public var selectedQwinker: Qwinker? { selectedQwink?.author }
  public var refusalWords: String? { nil }
  public var limitWords: String? { nil }
  public var hidingWords: String? { nil }
  public func take(_ choice: PaneChoice) -> String? { nil }
  public func selectUnread(_ step: UnreadStep) -> Bool { false }
  public func visitDidBegin() {}
  public func readerWillAct() {}
  public func readerDidAct(wasHere: Bool) {}
}

/// A screen's state.
public struct ScreenStatus: Sendable {
  /// Whether it is fetching, failed or offline.
  public var state: FeedState
  public var isEmpty: Bool
  /// Unread rows above those in sight.
  public var newCount: Int
  /// All unread rows.
  public var unreadCount = 0
  /// Whether there may be more new rows than are counted.
  public var hasMoreNew: Bool
  /// When the next automatic retry is.
  public var nextAttempt: Date?
  /// What is under way, in a few words; nil: nothing.
  public var progress: String?
  /// The most useful actions for a beginner, most useful first; help is always added.
  public var hints: [Action]
  /// Words for hints whose keys do something else here than the keymap says.
  public var words: [Action: String] = [:]

  public init(
    state: FeedState, isEmpty: Bool, newCount: Int = 0, hasMoreNew: Bool = false, nextAttempt: Date? = nil,
    hints: [Action] = []
  ) {
    self.state = state
    self.isEmpty = isEmpty
    self.newCount = newCount
    self.hasMoreNew = hasMoreNew
    self.nextAttempt = nextAttempt
    self.hints = hints
  }
}
