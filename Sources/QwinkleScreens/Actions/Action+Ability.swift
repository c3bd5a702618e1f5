import PaneKit
import QwinkleModel

extension Abilities {
  /// Whether the server isn't known to lack what `action` needs.
  func allow(_ action: Action) -> Bool { action.ability.flatMap { self[$0] } ?? true }
}

extension Action {
  /// What a server has to be able to do for it; nil if every server can.
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
