import FoundationEssentials
import QwinkleModel
import Timekeeping

@testable import QwinkleScreens

extension QwinkCellData {
  /// Creates the content of a cell in the public timeline of a user without mutes and blocks.
  init(_ qwink: Qwink, isRevealed: Bool, hasDraft: Bool = false, now: Date, zone: ClockZone) {
    self.init(
      qwink, Disclosure(of: qwink, in: .public, at: now),
      quote: qwink.quote.map { QuoteDisclosure(of: $0, in: .public, at: now) }, isRevealed: isRevealed,
      hasDraft: hasDraft, now: now, zone: zone)
  }
}

extension WholeQwink {
  /// Creates the whole qwink, with nothing covered.
  init(open qwink: Qwink) {
    let quote = qwink.quote.map { QuoteDisclosure(of: $0, in: .thread, at: qwink.createdAt) }
    self.init(
      QwinkDescription(of: qwink, cover: nil, quote: quote, at: qwink.createdAt), isRevealed: true, zone: .gmt)
  }
}
