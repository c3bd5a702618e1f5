public import QwinkleModel
import Timekeeping

/// The rules for hiding and covering qwinks, shared by all lists and alerts.
extension Account {
  /// Whether a qwink is hidden in a place. A qwink is hidden if a filter hides it there or, unless `evenMuted` is true,
  /// if the user mutes or blocks its author or booster, or hides the booster's boosts from the home timeline and lists.
  /// Profiles also show qwinks of muted users.
  public func leavesOut(_ qwink: Qwink, in place: FilterPlace?, evenMuted: Bool = false) -> Bool {
    (!evenMuted && (follows.hides(qwink) || (place == .home && follows.hidesBoost(qwink))))
      || disclosure(of: qwink, in: place).isHidden
  }

  /// Whether a notification is hidden from the notification list and from alerts.
  public func leavesOut(_ notification: AccountNotification) -> Bool {
    follows.hides(notification.qwinker, inNotifications: true)
      || (notification.qwink.map { disclosure(of: $0, in: .notifications).isHidden } ?? false)
  }

  /// Returns the part of a qwink that can currently be shown in a place. If the reader sees a translation, the
  /// translation decides, too.
  public func disclosure(of qwink: Qwink, in place: FilterPlace?) -> Disclosure {
    guard let translated = translations.translated(qwink)?.qwink else { return ownDisclosure(of: qwink, in: place) }
    return ownDisclosure(of: translated, in: place)
  }

  private func ownDisclosure(of qwink: Qwink, in place: FilterPlace?) -> Disclosure {
    filterExpiry.note(qwink.filterMatches)
    return Disclosure(of: qwink, in: place, at: clock.now)
  }

  /// Checks for filters that expired while the machine slept. Observers then show the qwinks that such a filter hid.
  public func checkFilters() { filterExpiry.check() }

  /// Returns the cover of an edit history, or nil if no version is covered. A diff shows text of two versions, so one
  /// covered version covers the whole history.
  public func cover(of versions: [QwinkVersion], of qwink: Qwink) -> Disclosure.Cover? {
    let now = clock.now
    return disclosure(of: qwink, in: nil).cover
      ?? versions.reversed().compactMap { Disclosure(of: $0, of: qwink, in: nil, at: now).cover }.first
  }

  /// Returns the part of the quoted qwink that can currently be shown in a place, or nil if `qwink` has no quote.
  public func quoteDisclosure(of qwink: Qwink, in place: FilterPlace?) -> QuoteDisclosure? {
    qwink.quote.map { quote in
      filterExpiry.note(quote.filterMatches)
      return QuoteDisclosure(of: quote, in: place, at: clock.now) { follows.stateWithholding($0) }
    }
  }
}
