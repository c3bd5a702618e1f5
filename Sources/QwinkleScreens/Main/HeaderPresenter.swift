import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// The texts of the header, computed from the account and the visible screens.
@MainActor
struct HeaderPresenter {
  let account: Account
  let router: SectionRouter
  let unread: UnreadCounts
  /// The account's name at launch.
  let accountWords: String
  /// Number of unread items in other accounts.
  let unreadElsewhere: Int
  /// Status of the current section's front screen.
  let shown: ScreenStatus
  /// Width of the window.
  let columns: Int

  var words: HeaderWords {
    let waitingCount = account.outbox.waitingCount
    return HeaderWords(
      places: router.sections.map { .init(section: $0, unread: unread[$0]) }, current: router.shownSection,
      account: whoAndWhere, unreadElsewhere: unreadElsewhere, isSignedIn: account.isSignedIn,
      isAccountGiven: accountWords.contains("@"),
      connection: StatusWords.connection(
        of: connectionByContact, account.connection, zone: account.timeZone,
        isShort: SizeClass(columns: columns) == .compact && waitingCount > 0,
        yields: columns >= HeaderWords.fewestNamedColumns, isLive: isLive) + StatusWords.waiting(waitingCount))
  }

  /// Whether the visible content updates live: the section's timeline, or else the user's own feeds.
  private var isLive: Bool {
    (router.root as? TimelineViewController).map { account.timelines.isLive($0.name) } ?? account.live.isOpen
  }

  /// `mara@tilde.example`, once the account's name is loaded. Until then, ``accountWords``.
  private var whoAndWhere: String {
    let parts = accountWords.split(separator: "@")
    guard let name = parts.count > 1 ? String(parts[0]) : account.identity.me?.userName, let host = parts.last else {
      return accountWords
    }
    return "\(name)@\(account.connection.domain(of: account.identity.serverInfo) ?? String(host))"
  }

  /// The state of the connection, according to the last response or failure of any request.
  private var connectionByContact: FeedState {
    let contact = account.connection
    var state = connection
    if let since = contact.offlineSince {
      // The section's own state may be older than the last response.
      state.offlineSince = since
    } else if let since = state.offlineSince, let at = contact.answeredAt, at > since {
      state.offlineSince = nil
      state.refreshedAt = at
      state.error = nil
    }
    return state
  }

  /// The state of the connection according to the visible screen. The most recent state of any screen is used instead
  /// if it is offline, or if the visible screen has no state yet.
  private var connection: FeedState {
    let shown = shown.state
    // The section's first screen is refreshed regularly, so its state is recent.
    if shown.offlineSince != nil || (router.stack.pane.front === router.root && shown.knownSince != nil) {
      return shown
    }
    var states = [shown, router.root.status.state]
    states += router.sections.compactMap { router.stacks[$0]?.panes[0].main.status.state }
    // While the visible screen is being refreshed, its state will be updated soon, so the other feeds aren't needed.
    if !shown.isRefreshing { states += [account.inbox.state, account.notifications.state] }
    let latest = FeedState.latest(of: states) ?? shown
    return shown.knownSince == nil || latest.offlineSince != nil ? latest : shown
  }
}
