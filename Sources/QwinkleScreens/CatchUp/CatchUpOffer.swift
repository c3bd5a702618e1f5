import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// Offers to catch up after a break: one line in the status bar, when the program starts or wakes, once for each break.
///
/// A break is a time of at least ``shortestBreak`` since the reader last moved Home's read position, here or in another
/// client. If Home is open, the offer waits for its refresh and needs ``fewestNew`` unread posts. The offer never
/// replaces another message, an error or a sheet.
@MainActor
final class CatchUpOffer {
  /// In seconds.
  static let shortestBreak: TimeInterval = 4 * 3600
  static let fewestNew = 10

  private let account: Account
  private unowned let screen: MainViewController
  /// Time of the start or of waking up, until the offer is made or isn't needed.
  private var pendingSince: Date?
  /// The read position at the last offer. Saved, so that the next run doesn't repeat the offer.
  var offeredAt: String?

  init(account: Account, screen: MainViewController) {
    self.account = account
    self.screen = screen
  }

  /// Call when the program has started or resumed.
  func begin() {
    guard account.isSignedIn else { return }
    pendingSince = account.clock.now
    look()
  }

  /// Shows the offer once its conditions are met.
  private func look() {
    guard let pendingSince, account.readPositions.isKnown else { return }
    guard let away = account.catchUp.timeAway, away >= Self.shortestBreak, let place, place != offeredAt else {
      return self.pendingSince = nil
    }
    guard let isWorthwhile = isWorthwhile(since: pendingSince), screen.isFree else { return }
    self.pendingSince = nil
    guard isWorthwhile, !(screen.focus is CatchUpViewController) else { return }
    offeredAt = place
    // The posts of an earlier break aren't what the user has missed now, unless the user is still reading them.
    if account.catchUp.left == 0 { account.catchUp.discard() }
    screen.report(Notice(CatchUpWords.offer(hours: Int(away / 3600)), .new, .seconds))
  }

  /// Identifies Home's read position.
  private var place: String? { account.readPositions.mark(in: .timeline(.home))?.id }

  /// Whether enough posts are unread, as far as known. True if Home isn't open, because its posts are unknown then.
  /// Nil until an open Home is refreshed.
  private func isWorthwhile(since date: Date) -> Bool? {
    guard screen.router.visitedRoot(of: .home) != nil else { return true }
    let state = account.timelines.state(of: .home)
    guard !state.isRefreshing, let refreshedAt = state.refreshedAt, refreshedAt >= date else { return nil }
    let unread = screen.unread[.home]
    return unread.count >= Self.fewestNew || unread.hasMore
  }
}

extension CatchUpOffer: AccountObserver {
  func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) { lookSoon() }

  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {
    if name == .home { lookSoon() }
  }

  /// Checks the conditions once the other observers have counted the unread posts.
  private func lookSoon() {
    guard pendingSince != nil else { return }
    Task { [weak self] in self?.look() }
  }
}
