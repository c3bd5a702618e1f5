import PaneKit
import QwinkleModel

extension Abilities {
  /// Returns whether the server supports `action`, or true if that isn't known yet.
  func allow(_ action: Action) -> Bool { action.ability.flatMap { self[$0] } ?? true }
}

extension Action {
  /// The server ability that the action requires; nil if every server supports the action.
  var ability: Ability? {
    switch self {
    case .vote: .polls
    case .bookmark, .sectionBookmarks: .bookmarks
    case .pin: .pins
    case .muteTag: .filters
    case .muteThread: .threadMutes
    case .mute: .mutes
    case .block: .blocks
    case .report: .reports
    case .edit: .edits
    case .history: .editHistory
    case .delete, .redraft: .deletion
    case .entryAttach: .uploads
    case .entryPoll: .polls
    case .entryTime: .scheduledPosts
    case .translate: .translation
    case .collections: .collections
    case .acceptFollow, .refuseFollow: .followRequests
    case .dismissNotification: .dismissals
    case .notificationPolicy, .acceptNotifications, .dismissNotifications: .filteredNotifications
    case .quote, .quotes, .entryQuotes: .quotes
    default: nil
    }
  }
}
