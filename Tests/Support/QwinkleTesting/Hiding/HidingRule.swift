public import FoundationEssentials
public import QwinkleModel

/// A reason to hide a qwink or a part of it. Each rule creates a qwink with a secret word, so that tests can search
/// every place for the secrets.
public enum HidingRule: Hashable, Sendable {
  /// The places that a filter applies to.
  public enum Scope: Hashable, Sendable, CaseIterable {
    /// The tested place.
    case here
    /// No places, because some servers don't send them.
    case unnamed
    /// All places except the tested one.
    case elsewhere
    /// The tested place, but the filter expired a minute ago.
    case ended
    /// The tested place, for the next ``HidingRule/secondsToExpiry`` seconds.
    case ending
  }

  case direct
  case filter(hides: Bool, Scope)
  case warning
  /// Both the filter and the author warn.
  case filterAndWarning
  case sensitiveMedia
  case mutedAuthor
  case blockedAuthor
  case mutedBooster
  /// The server sends the quoted status with every state.
  case quote(Qwink.Quote.State)
  case quoteWithWarning
  case quoteWithFilter(hides: Bool)
  case quoteWithEndingFilter
  case quoteOfMuted
  case quoteOfBlocked
  /// The quoted qwink is deleted after the place has shown it.
  case quoteDeletedLater

  /// All rules. The first rule's qwink is shown in every stream.
  public static let all: [HidingRule] = {
    var rules: [HidingRule] = [.direct]
    let scopes = Scope.allCases.filter { $0 != .ending }
    for hides in [true, false] { rules += scopes.map { HidingRule.filter(hides: hides, $0) } }
    rules += [.warning, .filterAndWarning, .sensitiveMedia, .mutedAuthor, .blockedAuthor, .mutedBooster]
    rules += Qwink.Quote.State.allCases.map { HidingRule.quote($0) }
    rules += [.quoteWithWarning, .quoteWithFilter(hides: true), .quoteWithFilter(hides: false)]
    rules += [.quoteOfMuted, .quoteOfBlocked, .quoteDeletedLater]
    return rules
  }()

  /// Rules that hide something until a filter expires. They aren't in ``all``.
  public static let ending: [HidingRule] = [
    .filter(hides: true, .ending), .filter(hides: false, .ending), .quoteWithEndingFilter,
  ]

  /// Seconds until the filters of ``ending`` expire. Screens fetch less often than that.
  public static let secondsToExpiry = 20

  /// A qwinker muted by the user, including in notifications.
  public static let muted = Qwinker.sample("muted")
  public static let blocked = Qwinker.sample("blocked")

  /// The user's relationships to ``muted`` and ``blocked``.
  public static var relationships: [Relationship] {
    var mute = Relationship(id: muted.id, isMuting: true)
    mute.mutesNotifications = true
    return [mute, Relationship(id: blocked.id, isBlocking: true)]
  }

  /// A word in every text, used as a search term.
  public static let commonWord = "kiosk"

  // MARK: Words

  /// A number that makes the rule's words unique. All numbers have three digits, so that no word is a prefix of
  /// another.
  public var number: Int { 100 + ((Self.all + Self.ending).firstIndex(of: self) ?? 0) }

  /// The word that the rule hides.
  public var secret: String { "sesame\(number)" }
  /// The filter's title.
  public var title: String { "Topic\(number)" }
  public var contentWarning: String { "Careful\(number)" }
  /// A word of the quoting qwink.
  public var quotingWord: String { "outer\(number)" }
  /// The picture's description.
  public var altText: String { "Photo\(number)" }

  /// All words that reveal that the qwink exists.
  public var words: [String] { [secret, title, contentWarning, quotingWord, altText] }

  public var id: Qwink.ID { Qwink.ID("\(900 - number)") }
  public var quotedID: Qwink.ID { Qwink.ID("7\(number)") }

  public var isQuote: Bool {
    switch self {
    case .quote, .quoteWithWarning, .quoteWithFilter, .quoteWithEndingFilter, .quoteOfMuted, .quoteOfBlocked,
      .quoteDeletedLater:
      true
    case .direct, .filter, .warning, .filterAndWarning, .sensitiveMedia, .mutedAuthor, .blockedAuthor, .mutedBooster:
      false
    }
  }

  /// Whether the rule depends on the user's mutes or blocks.
  public var isAboutPeople: Bool {
    switch self {
    case .mutedAuthor, .blockedAuthor, .mutedBooster, .quoteOfMuted, .quoteOfBlocked: true
    default: false
    }
  }

  // MARK: Qwinks

  /// Returns the rule's qwink as a server sends it for a place.
  public func qwink(in place: FilterPlace?, at now: Date) -> Qwink {
    var qwink = Qwink.sample(
      id: id, text: "\(isQuote ? quotingWord : secret) \(Self.commonWord)", author: author,
      at: now.addingTimeInterval(-60 * Double(number)))
    switch self {
    case .direct: qwink.visibility = .direct
    case .filter(let hides, let scope): qwink.filterMatches = [match(hides: hides, scope, in: place, at: now)]
    case .warning: qwink.contentWarning = contentWarning
    case .filterAndWarning:
      qwink.contentWarning = contentWarning
      qwink.filterMatches = [match(hides: false, .here, in: place, at: now)]
    case .sensitiveMedia:
      qwink.isSensitive = true
      qwink.attachments = [picture(describedAs: altText)]
    case .mutedAuthor, .blockedAuthor: break
    case .mutedBooster:
      qwink.booster = Self.muted
      qwink.originalID = Qwink.ID("8\(number)")
      qwink.boostedAt = qwink.createdAt
    case .quote(let state): qwink.quote = quote(state)
    case .quoteWithWarning: qwink.quote = quote { $0.contentWarning = contentWarning }
    case .quoteWithFilter(let hides):
      qwink.quote = quote { $0.filterMatches = [match(hides: hides, .here, in: place, at: now)] }
    case .quoteWithEndingFilter:
      qwink.quote = quote { $0.filterMatches = [match(hides: true, .ending, in: place, at: now)] }
    case .quoteOfMuted: qwink.quote = quote { $0.author = Self.muted }
    case .quoteOfBlocked: qwink.quote = quote { $0.author = Self.blocked }
    case .quoteDeletedLater: qwink.quote = quote()
    }
    return qwink
  }

  /// Returns a picture for the qwink.
  public func picture(describedAs words: String) -> Attachment {
    Attachment(
      id: .init("9\(number)"), kind: .image, url: "https://tilde.example/media/\(number).png", altText: words)
  }

  private var author: Qwinker {
    switch self {
    case .mutedAuthor: Self.muted
    case .blockedAuthor: Self.blocked
    default: .sample("friend\(number)")
    }
  }

  private func quote(
    _ state: Qwink.Quote.State = .accepted, changed change: (inout Qwink.Quote) -> Void = { _ in }
  ) -> Qwink.Quote {
    var quote = Qwink.Quote(
      id: quotedID, author: .sample("quoted"), text: RichText(plain: secret),
      url: "https://tilde.example/@quoted/\(quotedID)", state: state)
    change(&quote)
    return quote
  }

  private func match(hides: Bool, _ scope: Scope, in place: FilterPlace?, at now: Date) -> FilterMatch {
    let here = place.map { [$0] } ?? FilterPlace.allCases
    let contexts: [FilterPlace] =
      switch scope {
      case .here, .ended, .ending: here
      case .unnamed: []
      case .elsewhere: FilterPlace.allCases.filter { $0 != place }
      }
    let secondsLeft: Double? =
      switch scope {
      case .ended: -60
      case .ending: Double(Self.secondsToExpiry)
      case .here, .unnamed, .elsewhere: nil
      }
    return FilterMatch(
      id: "\(number)", title: title, hides: hides, contexts: contexts.map(\.rawValue),
      expiresAt: secondsLeft.map { now.addingTimeInterval($0) }, keywords: [secret])
  }
}
