import PaneKit
import QwinkleAccount
import QwinkleModel

/// A part of the program that a digit leads to.
enum Section: String, CaseIterable {
  case `public`, home, messages, notifications, bookmarks, search
  /// Views of the user's own; only where there are some.
  case views

  var title: String {
    switch self {
    case .public: "Public"
    case .home: "Home"
    case .messages: "Messages"
    case .notifications: "Notifications"
    case .bookmarks: "Bookmarks"
    case .search: "Search"
    case .views: "Views"
    }
  }

  /// The title where room is short.
  var shortTitle: String { self == .notifications ? "Notif" : title }

  var action: Action {
    switch self {
    case .public: .sectionPublic
    case .home: .sectionHome
    case .messages: .sectionMessages
    case .notifications: .sectionNotifications
    case .bookmarks: .sectionBookmarks
    case .search: .sectionSearch
    case .views: .sectionViews
    }
  }

  /// Whether the header counts what is unread or new there.
  var countsUnread: Bool {
    switch self {
    case .public, .home, .messages, .notifications: true
    case .bookmarks, .search, .views: false
    }
  }

  /// Its timeline, whose unread rows the header counts; nil if it has none.
  var timeline: TimelineName? {
    switch self {
    case .public: .public
    case .home: .home
    case .messages, .notifications, .bookmarks, .search, .views: nil
    }
  }

  /// Whether what comes there is for me.
  var isPersonal: Bool { self == .messages || self == .notifications }

  /// The digit that leads there.
  var number: Int { (Section.allCases.firstIndex(of: self) ?? 0) + 1 }
}
