public import FoundationEssentials

/// Filters that Qwinkle creates: for a muted hashtag, and for single posts.
extension ContentFilter {
  /// The title of the filter for single posts, if the user names no other filter.
  public static let hiddenPostsTitle = "Hidden posts"

  /// Returns a filter that hides all qwinks with a hashtag, given without `#`. Profiles still show them.
  public static func muting(tag name: String) -> ContentFilter {
    ContentFilter(
      title: "#\(name)", contexts: [.home, .notifications, .public, .thread], hides: true,
      keywords: [Keyword(text: "#\(name)")])
  }

  /// Whether the filter has no other purpose than to hide a hashtag, given without `#`, at least in the home and public
  /// timelines, and hasn't expired.
  public func isMute(ofTag name: String, at now: Date) -> Bool {
    guard hides, Set(contexts).isSuperset(of: [.home, .public]), keywords.count == 1, statuses.isEmpty,
      expiresAt.map({ $0 > now }) ?? true
    else { return false }
    return keywords[0].text.lowercased() == "#\(name.lowercased())"
  }

  /// Returns the filter's match of a qwink in this account's lists, or nil if the filter doesn't match.
  public func match(of qwink: Qwink) -> FilterMatch? {
    let words = FilteredText(qwink.filteredTexts).found(keywords)
    let isListed = statuses.contains(qwink.originalID)
    guard !words.isEmpty || isListed else { return nil }
    return FilterMatch(
      id: id.rawValue, title: title, hides: hides, contexts: contexts.map(\.rawValue), expiresAt: expiresAt,
      keywords: words, statuses: isListed ? [qwink.originalID.rawValue] : [])
  }
}

/// A single qwink that the user added to a filter.
public struct FilteredQwink: Hashable, Sendable, Identifiable {
  /// The id of the filter's entry, not of the qwink.
  public var id: String
  public var qwink: Qwink.ID

  public init(id: String, qwink: Qwink.ID) {
    self.id = id
    self.qwink = qwink
  }
}

extension Qwink {
  /// Returns the qwink without the matches of a filter, so that the filter neither hides nor covers it.
  public func unfiltered(by filter: ContentFilter) -> Qwink {
    var qwink = self
    qwink.filterMatches.removeAll { $0.id == filter.id.rawValue }
    return qwink
  }

  /// The texts in which filters search for their keywords.
  var filteredTexts: [String] {
    [contentWarning, text.plainText] + (poll?.options.map(\.title) ?? []) + attachments.compactMap(\.altText)
  }
}
