import PaneKit
import QwinkleAccount
import QwinkleModel

/// Unread counts of the sections. For timelines that weren't shown in this run, or whose loaded rows are all read
/// although the cache has newer rows, counts the rows in the cache, without a request.
@MainActor
final class UnreadCounts {
  private let account: Account
  private let settings: ReaderSettings
  private let router: SectionRouter
  private var counts: [TimelineName: HeaderWords.Unread] = [:]
  private var user: Qwinker.ID?

  /// Sent after the rows of a timeline were counted in the cache.
  var didCount = TargetActions()

  init(account: Account, settings: ReaderSettings, router: SectionRouter) {
    self.account = account
    self.settings = settings
    self.router = router
    user = account.identity.me?.id
  }

  /// Number of unread items in a section. In a timeline, these are the new rows above the reader's position.
  subscript(section: Section) -> HeaderWords.Unread {
    switch section {
    case .messages: HeaderWords.Unread(count: account.inbox.unreadCount)
    case .notifications:
      HeaderWords.Unread(count: account.notifications.countedUnread, hasMore: account.notifications.hasMoreUnread)
    case .public, .home:
      if let root = router.visitedRoot(of: section) {
        HeaderWords.Unread(count: root.status.unreadCount, hasMore: root.status.hasMoreNew)
      } else {
        section.timeline.flatMap { counts[$0] } ?? HeaderWords.Unread()
      }
    case .bookmarks, .search, .views: HeaderWords.Unread()
    }
  }

  /// The sections with unread items.
  var sections: [Section] { router.sections.filter { self[$0].count > 0 } }

  private func countAll() { for section in router.sections { count(section) } }

  private func count(in name: TimelineName) {
    if let section = router.sections.first(where: { $0.timeline == name }) { count(section) }
  }

  /// Counts the unread rows of a timeline section in the cache, unless its rows in memory suffice. Does nothing for a
  /// timeline without a read mark.
  private func count(_ section: Section) {
    guard let name = section.timeline, router.visitedRoot(of: section) == nil,
      let mark = account.readPositions.mark(in: .timeline(name))
    else { return }
    account.timelines.readFirstRows(of: name, downTo: mark) { [weak self] rows in
      guard let self else { return }
      counts[name] = unread(among: rows, of: name)
      didCount.send()
    }
  }

  private func unread(among rows: [Timeline.Row], of name: TimelineName) -> HeaderWords.Unread {
    var news = NewRows()
    let shown = rows.filter { $0.qwink.map { !isLeftOut($0, of: name) } ?? true }
    news.update(
      shown.filter(FoldedBoosts(shown, keeping: []).shows), of: rows, above: 0,
      mark: account.readPositions.mark(in: .timeline(name)), me: account.identity.me?.id)
    return HeaderWords.Unread(count: news.unread.count + news.skippedElsewhere.count, hasMore: news.hasMore)
  }

  /// Whether a timeline's list leaves out the qwink, unless the reader chooses otherwise there.
  func isLeftOut(_ qwink: Qwink, of name: TimelineName) -> Bool {
    (name.hidesByOption && settings.hiddenQwinks.contains(qwink, me: account.identity.me?.id))
      || account.leavesOut(qwink, in: name.filterPlace, evenMuted: !name.leavesOutMuted)
  }
}

/// Counts again after changes that can add, remove or hide unread rows.
extension UnreadCounts: AccountObserver {
  func identityDidChange(_ identity: Identity) {
    guard user != identity.me?.id else { return }
    // The user's own rows don't count as unread.
    user = identity.me?.id
    countAll()
  }

  func followsDidChangeHidden(_ follows: Follows) { countAll() }
  func accountFilterDidExpire() { countAll() }
  func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) { countAll() }

  func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {
    if case .timeline(let name) = list { count(in: name) }
  }

  func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) { count(in: name) }
  func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName) { count(in: name) }
}
