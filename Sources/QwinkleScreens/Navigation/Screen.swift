public import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel

/// A controller that fills a pane, and what the bars around it say of it. Its `title` is its name in the header.
@MainActor
public protocol Screen: Pane {
  /// Where it leads from here. Held weakly.
  var navigator: (any Navigator)? { get set }
  var status: ScreenStatus { get }
  /// The qwink that keys such as reply and boost are about; nil: none is selected.
  var selectedQwink: Qwink? { get }
  /// The qwinker that keys such as author and follow are about.
  var selectedQwinker: Qwinker? { get }
  /// Fetches what is new, at once.
  func refresh()
  /// Selects an unread row. Returns false if there is none.
  func selectUnread(_ step: UnreadStep) -> Bool
}

/// Which of the unread rows to go to.
public enum UnreadStep: Sendable {
  case first, next, previous, last

  /// The index to select, of those that are unread, in rising order.
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
  public var selectedQwink: Qwink? { nil }
  public var selectedQwinker: Qwinker? { selectedQwink?.author }
  public func selectUnread(_ step: UnreadStep) -> Bool { false }
}

/// How a screen is doing.
public struct ScreenStatus: Sendable {
  /// Whether something is being fetched, failed, or is offline.
  public var state: FeedState
  public var isEmpty: Bool
  /// Rows that came on top and have not been seen.
  public var newCount: Int
  /// Whether more may be new than is known.
  public var hasMoreNew: Bool
  /// When it will try again by itself.
  public var nextAttempt: Date?
  /// What a beginner should know of here, most useful first; help is always added.
  public var hints: [Action]

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
