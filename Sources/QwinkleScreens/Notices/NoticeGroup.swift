import QwinkleAccount
import QwinkleModel

/// Notices that are shown as one row: what several people did to the same qwink, one after another.
struct NoticeGroup: Hashable, Identifiable {
  /// At least one, newest first.
  private(set) var notices: [Notice]
  /// Whether something of it has come since notices were last read.
  var isUnread = false

  private init(_ notice: Notice) {
    notices = [notice]
  }

  var newest: Notice { notices[0] }

  /// The notice that it began with: others join it on top.
  var id: Notice.ID { notices[notices.count - 1].id }

  /// Who did it, the latest first, each once.
  var qwinkers: [Qwinker] {
    var seen: Set<Qwinker.ID> = []
    return notices.map(\.qwinker).filter { seen.insert($0.id).inserted }
  }

  /// Favourites and boosts of one qwink that follow each other are one group. The first `unreadCount` have not been
  /// read.
  static func groups(of notices: [Notice], unreadCount: Int) -> [NoticeGroup] {
    var groups: [NoticeGroup] = []
    for (index, notice) in notices.enumerated() {
      if let last = groups.indices.last, groups[last].takes(notice) {
        groups[last].notices.append(notice)
      } else {
        groups.append(NoticeGroup(notice))
        groups[groups.count - 1].isUnread = index < unreadCount
      }
    }
    return groups
  }

  private func takes(_ notice: Notice) -> Bool {
    guard [.favourite, .boost].contains(notice.kind), notice.kind == newest.kind, let qwink = notice.qwink else {
      return false
    }
    return qwink.originalID == newest.qwink?.originalID
  }
}
