import PaneKit
import QwinkleAccount
import QwinkleModel

/// A section of the program, opened with a digit key.
enum Section: String, CaseIterable {
  case `public`, home, messages, notifications, bookmarks, search
  /// The user's own views. Left out if the user has none.
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

  /// The title in narrow windows.
  var shortTitle: String { self == .notifications ? "Notif" : title }
  /// The title if even the short titles don't fit.
  var shortestTitle: String { self == .bookmarks ? "Marks" : shortTitle }

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

  /// Whether the header shows the section's unread count.
  var countsUnread: Bool {
    switch self {
    case .public, .home, .messages, .notifications: true
    case .bookmarks, .search, .views: false
    }
  }

  /// The timeline whose unread rows the header counts, if any.
  var timeline: TimelineName? {
    switch self {
    case .public: .public
    case .home: .home
    case .messages, .notifications, .bookmarks, .search, .views: nil
    }
  }

  /// Whether the section's rows are addressed to the user.
  var isPersonal: Bool { self == .messages || self == .notifications }

  /// The digit key that opens the section.
  var number: Int { (Section.allCases.firstIndex(of: self) ?? 0) + 1 }
}
