import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// The texts of the status bar, computed from the account, the visible screens and the keys.
@MainActor
struct StatusPresenter {
  let account: Account
  let router: SectionRouter
  let keys: KeysInForce
  /// Status of the current section's front screen.
  let shown: ScreenStatus
  let isCompact: Bool
  /// Progress of the first fetch on the account, if it is in progress.
  var firstFetchWords: String?

  var state: BarView.Item? {
    StatusWords.state(of: shown, keys: keys, now: account.clock.now, zone: account.timeZone)
      ?? firstFetchWords.map(StatusWords.progress)
  }

  /// The countdown of the newest pending action, unless all countdowns are visible in rows.
  var held: BarView.Item? {
    let visible = router.focus.status.visibleCountdowns
    guard !account.pendingActions.acts.allSatisfy({ visible.contains($0.kind) }) else { return nil }
    return PendingWords.counting(account.pendingActions, keys: keys)
  }

  /// Key hints. In a narrow window, only the essential ones.
  var hints: [BarView.Item] {
    let possible = actions.filter(account.connection.abilities.allow)
    let hints = isCompact ? possible.filter { [.back, .chatSend, .chatEnter].contains($0) } : possible
    return StatusWords.hints(keys, actions: hints + [.help], words: hintWords)
      + (router.panes.showsSeveral ? StatusWords.panesHint(keys) : [])
  }

  /// Actions of the focused screen. A pushed screen always has a hint for going back.
  private var actions: [Action] {
    let hints = router.focus.status.hints
    return !router.canGoBackInPane || hints.contains(.back) ? hints : [.back] + hints
  }

  /// Labels for keys whose current effect differs from the keymap's description.
  private var hintWords: [Action: String] {
    let focus = router.focus
    var words = focus.selectedQwink.map(ActionWords.hints) ?? [:]
    words.merge(focus.status.words) { $1 }
    if let id = focus.selectedQwinker?.id, let relationship = account.follows.relationship(to: id) {
      words[.follow] = relationship.followWord
    }
    return words
  }
}
