public import QwinkleModel

/// The part of a qwink that a place shows.
public enum HidingOutcome: Hashable, Sendable {
  /// Nothing of the qwink.
  case missing
  /// This text, but not the secret.
  case covered(String)
  /// The explanation of this quote state and the quoting qwink's text, but not the secret.
  case withheld(Qwink.Quote.State)
  /// The secret, and the label of a sensitive picture with this description.
  case marked(String)
  /// The secret.
  case open
}

/// Properties of a place that determine the outcome of a rule.
public struct HidingTraits: Sendable {
  /// Nil if the filters of all places apply.
  public var filterPlace: FilterPlace?
  /// Whether qwinks hidden by a filter are left out. Otherwise they are covered.
  public var leavesOutFiltered = true
  /// Whether muted and blocked users are left out.
  public var leavesOutPeople = true
  /// Whether direct messages are left out.
  public var leavesOutDirect = false
  /// Whether quoted qwinks are shown.
  public var showsQuotes = true
  /// Whether pictures are described below the text.
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
