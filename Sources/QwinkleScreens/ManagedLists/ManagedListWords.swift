import PaneKit
import QwinkleModel

/// Titles, questions and messages of the screens that list the user's data on the server.
enum ManagedListWords {
  static let noneSelected = "Nothing is selected here"

  static func cannot(_ key: ManagedListKey) -> String {
    switch key {
    case .add: "Nothing can be added here"
    case .edit: "This can't be changed"
    case .remove: "This can't be removed"
    case .members: "This has no members"
    }
  }

  static let deleted = "Deleted"

  // MARK: Lists

  static let lists = "Lists"
  static let noLists = "You have no lists."
  static let newList = "New list"
  static let listName = "Name"
  static let listCreated = "Created · \(Action.recordMembers.key) adds people"
  static let listRenamed = "Renamed"

  static func deleteQuestion(_ list: PersonalList) -> String { "Delete the list “\(list.title)”?" }

  // MARK: Filters

  static let filters = "Filters"
  static let noFilters = "You have no filters."
  static let newFilter = "New filter"
  static let filter = "Filter"
  static func muted(_ tag: String, isOn: Bool, seconds: Int?) -> String {
    guard isOn else { return "#\(tag) unmuted" }
    return "#\(tag) muted" + (seconds.map { " for \(ActionWords.time($0))" } ?? "")
  }

  static func filtered(by filter: ContentFilter) -> String { "Filtered: \(filter.title)" }
  static func matches(of filter: ContentFilter) -> String { "Filter: \(filter.title)" }
  static let noMatches = "No cached post matches this filter."
  static func noFilter(_ title: String) -> String { "No filter “\(title)”. :filters lists yours." }
  static let filterSaved = "Filter saved"
  /// Names the action in messages of ``Account/undo()``, such as "Saving the filter can't be undone."
  static let savingFilter = "Saving the filter"
  static let titleMissing = "A filter needs a title."
  static let wordsMissing = "A filter needs words."
  static let endNotRemoved = "The end can be changed, not removed."

  static func effect(of filter: ContentFilter) -> String { filter.hides ? "hides" : "warns" }

  static func deleteQuestion(_ filter: ContentFilter) -> String { "Delete the filter “\(filter.title)”?" }

  static func noEffect(_ text: String) -> String { "Effect must be warn or hide, not “\(text)”." }

  static func noEnd(_ text: String) -> String { "“\(text)” isn't a future time." }

  /// - Parameter known: The names of all contexts.
  static func noContext(known: String) -> String { "Contexts must be some of: \(known)." }

  // MARK: Scheduled qwinks

  static let scheduled = "Scheduled"
  static let nothingScheduled = "Nothing is scheduled. \(Action.entryTime.key) in a new post sets a time."
  static let publishAt = "Publish at"
  static let unscheduleQuestion = "Cancel this post? Its text is deleted."
  static let unscheduled = "Cancelled"

  static func publishedAt(_ time: String) -> String { "Published at \(time)" }

  // MARK: Hashtags

  static let followedTags = "Followed hashtags"
  static let noTags = "You follow no hashtags."
  static let followTag = "Follow #"

  static func followed(_ tag: String, isOn: Bool) -> String { "\(isOn ? "Following" : "Unfollowed") #\(tag)" }

  // MARK: The server

  static let announcements = "Announcements"
  static let noAnnouncements = "No announcements."
  static let alreadyRead = "You have read this."
  static let server = "Server"
  static let trends = "Trends"
  static let trendingQwinks = "Trending posts"

  static func rule(_ number: Int) -> String { "Rule \(number)" }
}
