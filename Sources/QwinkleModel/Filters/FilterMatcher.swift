/// Matches another server's qwinks against the user's filters, as the user's server does with the qwinks that it sends.
public struct FilterMatcher: Hashable, Sendable {
  private let filters: [ContentFilter]
  /// Ids of the qwinks listed in filters, by URL. Ids differ between servers, URLs don't.
  private let ids: [String: Qwink.ID]

  public init(_ filters: [ContentFilter] = [], ids: [String: Qwink.ID] = [:]) {
    self.filters = filters
    self.ids = ids
  }

  /// Returns `qwink` with the matches of the user's filters, in the qwink and in its quote. Replaces all existing
  /// matches.
  public func matching(_ qwink: Qwink) -> Qwink {
    var matched = qwink
    matched.filterMatches = matches(in: qwink.filteredTexts, at: qwink.url)
    if let quote = qwink.quote {
      matched.quote?.filterMatches = matches(in: [quote.contentWarning, quote.text.plainText], at: quote.url)
    }
    return matched
  }

  /// Returns the matches in a translated qwink. Servers match filters against the original text only. These matches
  /// cover the text and never hide the qwink, because the reader has asked for its translation.
  public func matches(inTranslated qwink: Qwink) -> [FilterMatch] {
    matching(qwink).filterMatches.map { match in
      var match = match
      match.hides = false
      return match
    }
  }

  private func matches(in texts: [String], at url: String?) -> [FilterMatch] {
    guard !filters.isEmpty else { return [] }
    let text = FilteredText(texts)
    let id = url.flatMap { ids[$0] }
    return filters.compactMap { filter in
      let words = text.found(filter.keywords)
      let named = filter.statuses.filter { $0 == id }
      guard !words.isEmpty || !named.isEmpty else { return nil }
      return FilterMatch(
        id: filter.id.rawValue, title: filter.title, hides: filter.hides, contexts: filter.contexts.map(\.rawValue),
        expiresAt: filter.expiresAt, keywords: words, statuses: named.map(\.rawValue))
    }
  }
}

extension ForeignThread {
  /// Returns the thread with the matches of the user's filters. Replaces the matches sent by the server.
  public func matched(by filters: FilterMatcher) -> ForeignThread {
    var thread = thread
    thread.update { filters.matching($0) }
    return ForeignThread(host: host, focus: focus, thread: thread)
  }
}
