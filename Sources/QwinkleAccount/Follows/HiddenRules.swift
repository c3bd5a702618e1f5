public import FoundationEssentials
public import QwinkleModel
public import QwinkleService

/// The user's mutes, blocks and filters, for qwinks of other servers and cached qwinks in the output of commands. Other
/// servers and the cache don't apply them.
public struct HiddenRules: Sendable {
  private let filters: FilterMatcher
  private let people: HiddenPeople

  init(_ lists: HiddenLists, serverURL: String) {
    filters = lists.filters
    people = lists.people(serverURL: serverURL)
  }

  /// Returns the qwink with the matches of the user's filters, and with quotes of hidden users withheld. Returns nil if
  /// the user hides its author or booster.
  public func applied(to qwink: Qwink, at now: Date) -> Qwink? {
    guard people.state(of: qwink.author, at: now) == nil,
      qwink.booster.map({ people.state(of: $0, at: now) == nil }) ?? true
    else { return nil }
    var shown = filters.matching(qwink)
    if let author = qwink.quote?.author, let state = people.state(of: author, at: now) {
      shown.quote = Qwink.Quote(id: nil, state: state)
    }
    return shown
  }

  /// Returns a cached qwink of the user's server like ``applied(to:at:)``, and with the matches that the server sent.
  /// The cache doesn't contain mutes, blocks and filters that the user added later.
  public func applied(toCached qwink: Qwink, at now: Date) -> Qwink? {
    guard var shown = applied(to: qwink, at: now) else { return nil }
    shown.filterMatches.add(qwink.filterMatches)
    if let matches = qwink.quote?.filterMatches { shown.quote?.filterMatches.add(matches) }
    return shown
  }
}

extension AccountConnection {
  /// Fetches the user's mutes, blocks and filters. Signed out, the rules hide nothing.
  public func hiddenRules() async throws(DownloadError) -> HiddenRules {
    HiddenRules(try await hiddenLists(), serverURL: serverURL)
  }
}
