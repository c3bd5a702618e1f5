import PaneKit
import QwinkleModel

extension Abilities {
  /// Returns whether the server supports `action`. Returns true if the program hasn't determined yet whether it does.
  func allow(_ action: Action) -> Bool { action.ability.flatMap { self[$0] } ?? true }
}

extension Action {
  /// The server ability that the action requires; nil if every server supports the action.
  var ability: Ability? {
    switch self {
    case .vote: .polls
    case .bookmark, .sectionBookmarks: .bookmarks
    case .pin: .pins
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
    case .acceptFollow, .refuseFollow: .followRequests
    case .dismissNotification: .dismissals
    default: nil
    }
  }
}
