/// The qwinks that an account has pinned to its profile.
public enum PinnedQwinks {
  /// No server allows more pinned qwinks.
  private static let maximumCount = 20

  /// Returns the pinned qwinks in `answer`, the response to a request for them. `newest` are the account's newest
  /// qwinks.
  ///
  /// Some servers ignore the filter for pinned qwinks and return all qwinks. In such a response, only qwinks flagged as
  /// pinned count. Servers flag only the user's own qwinks, so other accounts then seem to have no pinned qwinks.
  public static func pinned(in answer: [Qwink], newest: [Qwink]) -> [Qwink] {
    let flagged = answer.filter(\.isPinned)
    if !flagged.isEmpty { return flagged }
    return isEverything(answer, newest: newest) ? [] : answer
  }

  private static func isEverything(_ answer: [Qwink], newest: [Qwink]) -> Bool {
    if answer.count > maximumCount || answer.contains(where: { $0.booster != nil }) { return true }
    return answer.map(\.rowID) == newest.map(\.rowID)
  }
}
