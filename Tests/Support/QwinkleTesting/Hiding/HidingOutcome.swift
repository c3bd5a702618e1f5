public import QwinkleModel

/// The part of a qwink that a place shows.
public enum HidingOutcome: Hashable, Sendable {
  /// None of its words.
  case missing
  /// These words, but not the secret.
  case covered(String)
  /// The sentence of this state, and the words of the qwink that quotes, but not the secret.
  case withheld(Qwink.Quote.State)
  /// The secret, and the mark of sensitive pictures with this description.
  case marked(String)
  /// The secret.
  case open
}

/// The facts about a place on which the outcome of a rule depends.
public struct HidingTraits: Sendable {
  /// Nil if the filters of all places count.
  public var filterPlace: FilterPlace?
  /// Whether it leaves out what a filter hides. Otherwise it covers that.
  public var leavesOutFiltered = true
  /// Whether it leaves out muted and blocked users.
  public var leavesOutPeople = true
  /// Whether it leaves out direct messages.
  public var leavesOutDirect = false
  /// Whether it shows quoted qwinks.
  public var showsQuotes = true
  /// Whether it describes pictures below the text.
  public var describesPictures = true

  public init(in filterPlace: FilterPlace?) { self.filterPlace = filterPlace }
}

extension HidingRule {
  /// Returns the outcome that a place with these traits must have.
  public func outcome(in place: HidingTraits) -> HidingOutcome {
    switch self {
    case .direct: return place.leavesOutDirect ? .missing : .open
    case .filter(let hides, let scope):
      guard scope != .ended, scope != .elsewhere || place.filterPlace == nil else { return .open }
      return hides && place.leavesOutFiltered ? .missing : .covered(Disclosure.Cover.filter(title).words)
    case .warning: return .covered(contentWarning)
    case .filterAndWarning: return .covered(Disclosure.Cover.filter(title).words)
    case .sensitiveMedia: return place.describesPictures ? .marked(altText) : .open
    case .mutedAuthor, .blockedAuthor, .mutedBooster: return place.leavesOutPeople ? .missing : .open
    case _ where !place.showsQuotes: return .covered(quotingWord)
    case .quote(.accepted), .quoteDeletedLater: return .open
    case .quote(let state): return .withheld(state)
    case .quoteWithWarning: return .covered(contentWarning)
    case .quoteWithFilter, .quoteWithEndingFilter: return .covered(Disclosure.Cover.filter(title).words)
    case .quoteOfMuted: return .withheld(.mutedAccount)
    case .quoteOfBlocked: return .withheld(.blockedAccount)
    }
  }
}
