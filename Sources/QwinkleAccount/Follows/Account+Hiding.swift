public import QwinkleModel
import Timekeeping

/// One rule for all lists and alerts: which qwinks a place leaves out or covers.
extension Account {
  /// Whether a place leaves out a qwink: a filter hides it there, or, unless `evenMuted`, the user mutes or blocks its
  /// author or booster. Profiles show qwinks of muted users too.
  public func leavesOut(_ qwink: Qwink, in place: FilterPlace?, evenMuted: Bool = false) -> Bool {
    (!evenMuted && follows.hides(qwink)) || disclosure(of: qwink, in: place).isHidden
  }

  /// Whether the list of notifications and alerts leave out a notification.
  public func leavesOut(_ notification: AccountNotification) -> Bool {
    follows.hides(notification.qwinker, inNotifications: true)
      || (notification.qwink.map { disclosure(of: $0, in: .notifications).isHidden } ?? false)
  }

  /// Returns the part of a qwink that a place may show now.
  public func disclosure(of qwink: Qwink, in place: FilterPlace?) -> Disclosure {
    filterExpiry.note(qwink.filterMatches)
    return Disclosure(of: qwink, in: place, at: clock.now)
  }

  /// Shows what filters hid that expired while the machine slept.
  public func checkFilters() { filterExpiry.check() }

  /// Returns the notice that covers an edit history; nil if no version is covered. Each change shows words of two
  /// versions, so one covered version covers all.
  public func cover(of versions: [QwinkVersion], of qwink: Qwink) -> Disclosure.Cover? {
    let now = clock.now
    return disclosure(of: qwink, in: nil).cover
      ?? versions.reversed().compactMap { Disclosure(of: $0, of: qwink, in: nil, at: now).cover }.first
  }

  /// Returns the part of the quoted qwink that a place may show now; nil if `qwink` quotes nothing.
  public func quoteDisclosure(of qwink: Qwink, in place: FilterPlace?) -> QuoteDisclosure? {
    qwink.quote.map { quote in
      filterExpiry.note(quote.filterMatches)
      return QuoteDisclosure(of: quote, in: place, at: clock.now) { follows.stateWithholding($0) }
    }
  }
}
