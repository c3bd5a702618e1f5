public import FoundationEssentials

/// Whether a qwink's text is shown, covered by a notice, or hidden, according to the user's filters and the author's
/// content warning. Every list, cell, command and alert checks it before showing a text.
public struct Disclosure: Hashable, Sendable {
  /// A notice shown instead of the text until the reader reveals it.
  public enum Cover: Hashable, Sendable {
    /// The author's content warning.
    case warning(String)
    /// The title of a matching filter.
    case filter(String)

    /// The notice's text, such as `Filtered: Weather`.
    public var words: String {
      switch self {
      case .warning(let words): words
      case .filter(let title): title.isEmpty ? "Filtered" : "Filtered: \(title)"
      }
    }
  }

  /// Whether a filter hides the qwink. Lists omit hidden qwinks. Places that can't omit a qwink, such as threads, cover
  /// it.
  public let isHidden: Bool
  /// Nil if the text is shown without a notice.
  public let cover: Cover?

  /// Creates the disclosure of a qwink.
  ///
  /// - Parameters:
  ///   - place: The place that shows the qwink. If nil, filters of all places apply.
  ///   - now: The current time. Expired filters don't apply.
  public init(of qwink: Qwink, in place: FilterPlace?, at now: Date) {
    self.init(warning: qwink.contentWarning, matches: qwink.filterMatches, in: place, at: now)
  }

  /// Creates the disclosure of `version`, an earlier version of `qwink`. A version without a content warning is covered
  /// by the qwink's current warning.
  public init(of version: QwinkVersion, of qwink: Qwink, in place: FilterPlace?, at now: Date) {
    let warning = version.contentWarning.isEmpty ? qwink.contentWarning : version.contentWarning
    self.init(warning: warning, matches: qwink.filterMatches, in: place, at: now)
  }

  init(warning: String, matches: [FilterMatch], in place: FilterPlace?, at now: Date) {
    let matches = matches.filter { $0.counts(in: place, at: now) }
    let hiding = matches.first(where: \.hides)
    isHidden = hiding != nil
    cover =
      if let match = hiding ?? matches.first {
        // Use the filter's title instead of the content warning, because the user may not want to read the warning
        // either.
        .filter(match.title)
      } else {
        warning.isEmpty ? nil : .warning(warning)
      }
  }
}

extension Qwink {
  /// Returns the content warning if `cover` is a filter's notice, or nil otherwise. A filter's notice hides the warning
  /// as well as the text, so both are shown when the reader reveals the text.
  public func warning(under cover: Disclosure.Cover?) -> String? {
    guard case .filter = cover, !contentWarning.isEmpty else { return nil }
    return contentWarning
  }
}

/// Whether a quote is shown, covered by a notice, or withheld.
public enum QuoteDisclosure: Hashable, Sendable {
  /// The quote isn't shown. Its state is the reason.
  case withheld(Qwink.Quote.State)
  case covered(Disclosure.Cover, author: Qwinker)
  case shown(author: Qwinker)

  /// The quote's author. Nil if the quote is withheld.
  public var author: Qwinker? {
    switch self {
    case .withheld: nil
    case .covered(_, let author), .shown(let author): author
    }
  }

  /// Creates the disclosure of a quote.
  ///
  /// - Parameter refusal: Returns the state for a muted or blocked author, and nil for other authors.
  public init(
    of quote: Qwink.Quote, in place: FilterPlace?, at now: Date,
    refusal: (Qwinker) -> Qwink.Quote.State? = { _ in nil }
  ) {
    guard quote.state == .accepted else {
      self = .withheld(quote.state)
      return
    }
    guard let author = quote.author else {
      self = .withheld(.other)
      return
    }
    if let state = refusal(author) {
      self = .withheld(state)
      return
    }
    let disclosure = Disclosure(warning: quote.contentWarning, matches: quote.filterMatches, in: place, at: now)
    self = disclosure.cover.map { .covered($0, author: author) } ?? .shown(author: author)
  }
}
