public import FoundationEssentials

/// The part of a qwink that a place may show, by the user's filters and the author's content warning. Every list, cell,
/// command and alert asks for it before it shows a text.
public struct Disclosure: Hashable, Sendable {
  /// The notice in place of a text until the reader reveals the text.
  public enum Cover: Hashable, Sendable {
    /// The author's content warning.
    case warning(String)
    /// The title of one of the user's filters.
    case filter(String)

    /// `Filtered: Weather` for a filter.
    public var words: String {
      switch self {
      case .warning(let words): words
      case .filter(let title): title.isEmpty ? "Filtered" : "Filtered: \(title)"
      }
    }
  }

  /// Whether a filter hides the qwink. Lists leave it out. A place that can't leave it out, such as a thread, covers
  /// it.
  public let isHidden: Bool
  /// Nil if the text may be shown.
  public let cover: Cover?

  /// - Parameters:
  ///   - place: nil counts the filters of all places.
  ///   - now: Filters that ended before count no longer.
  public init(of qwink: Qwink, in place: FilterPlace?, at now: Date) {
    self.init(warning: qwink.contentWarning, matches: qwink.filterMatches, in: place, at: now)
  }

  /// A version in the edit history. The current warning covers versions without one too.
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
        // The words of the warning may be what the user doesn't want to read.
        .filter(match.title)
      } else {
        warning.isEmpty ? nil : .warning(warning)
      }
  }
}

extension Qwink {
  /// The content warning, if a filter covers it too. It is shown with the text once the reader reveals that.
  public func warning(under cover: Disclosure.Cover?) -> String? {
    guard case .filter = cover, !contentWarning.isEmpty else { return nil }
    return contentWarning
  }
}

/// The part of a quoted qwink that may be shown.
public enum QuoteDisclosure: Hashable, Sendable {
  /// Nothing, for this reason.
  case withheld(Qwink.Quote.State)
  case covered(Disclosure.Cover, author: Qwinker)
  case shown(author: Qwinker)

  /// The author, unless the quote is withheld.
  public var author: Qwinker? {
    switch self {
    case .withheld: nil
    case .covered(_, let author), .shown(let author): author
    }
  }

  /// - Parameter refusal: returns the state that withholds qwinks of a muted or blocked qwinker; nil for all others.
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
