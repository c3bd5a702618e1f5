import QwinkleAccount
import QwinkleModel

/// Unread counts of timelines that weren't shown in this run, or whose loaded rows are all read although the cache has
/// newer rows. Reads the rows from the cache, without a request.
@MainActor
final class UnvisitedCounts {
  private let account: Account
  private let settings: ReaderSettings
  private var counts: [TimelineName: HeaderWords.Unread] = [:]
  private var user: Qwinker.ID?

  init(account: Account, settings: ReaderSettings) {
    self.account = account
    self.settings = settings
    user = account.identity.me?.id
  }

  subscript(name: TimelineName) -> HeaderWords.Unread { counts[name] ?? HeaderWords.Unread() }

  /// Counts the unread rows of a timeline, then calls `done`. Does nothing for a timeline without a read mark.
  func count(_ name: TimelineName, done: @escaping @MainActor () -> Void) {
    guard let mark = account.readPositions.mark(in: .timeline(name)) else { return }
    account.timelines.readFirstRows(of: name, downTo: mark) { [weak self] rows in
      guard let self else { return }
      counts[name] = unread(among: rows, of: name)
      done()
    }
  }

  /// Returns whether the user changed or became known since the last call. In that case, the caller counts again,
  /// because the user's own rows don't count as unread.
  func noteUser() -> Bool {
    defer { user = account.identity.me?.id }
    return user != account.identity.me?.id
  }

  private func unread(among rows: [Timeline.Row], of name: TimelineName) -> HeaderWords.Unread {
    var news = NewRows()
    news.update(
      rows.filter { $0.qwink.map { !isLeftOut($0, of: name) } ?? true }, of: rows, above: 0,
      mark: account.readPositions.mark(in: .timeline(name)), me: account.identity.me?.id)
    return HeaderWords.Unread(count: news.unread.count + news.skippedElsewhere.count, hasMore: news.hasMore)
  }

  private func isLeftOut(_ qwink: Qwink, of name: TimelineName) -> Bool {
    let me = account.identity.me?.id
    return (name.hidesByOption && settings.hiddenKinds.contains { $0.holds(for: qwink, me: me) })
      || account.leavesOut(qwink, in: name.filterPlace, evenMuted: !name.leavesOutMuted)
  }
}
