/// What somebody has pinned to their profile.
public enum PinnedQwinks {
  /// No server lets anybody pin more.
  private static let maximumCount = 20

  /// The pinned ones in `answer`, a server's answer to the question for them; `newest` are the person's newest qwinks.
  /// Some servers ignore the question and answer with all qwinks. Then the pinned ones are those that say so, which
  /// only the user's own do.
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
