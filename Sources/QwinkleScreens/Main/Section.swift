import PaneKit
import QwinkleAccount

/// A part of the program that a digit leads to.
enum Section: String, CaseIterable {
  case `public`, home, messages
  case notifications = "notices"
  case bookmarks = "marks"
  case search

  var title: String {
    switch self {
    case .public: "Public"
    case .home: "Home"
    case .messages: "Messages"
    case .notifications: "Notices"
    case .bookmarks: "Marks"
    case .search: "Search"
    }
  }

  var action: Action {
    switch self {
    case .public: .sectionPublic
    case .home: .sectionHome
    case .messages: .sectionMessages
    case .notifications: .sectionNotices
    case .bookmarks: .sectionMarks
    case .search: .sectionSearch
    }
  }

  /// The digit that leads there.
  var number: Int { (Section.allCases.firstIndex(of: self) ?? 0) + 1 }
}
