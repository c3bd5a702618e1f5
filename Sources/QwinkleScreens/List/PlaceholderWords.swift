import PaneKit
import QwinkleAccount
import QwinkleService
import Terminal

/// The texts of a list without rows.
enum PlaceholderWords {
  typealias Lines = [[TextRun<StyleRole>]]

  static let retries = (Action.refresh.key, "retries")
  static let refreshes = (Action.refresh.key, "refreshes")
  static let goesBack = (Action.back.key, "goes back")
  static let opensPublic = (Action.sectionPublic.key, "opens the public timeline")
  static let signsIn = (Action.signIn.key, "signs in")
  private static let helpWhileWriting = (Action.help.key(in: .always), "shows all keys")
  static let endOfList = "End of list"
  static let fetching = "Fetching…"
  static let fetchingMore = "Fetching more…"

  /// Returns an error, a note that fetching was cancelled before the first response, or `fetching`. Returns nil if the
  /// server has responded and there is no error. If `isWriting` is true, a text field has the focus, so the text
  /// mentions no keys that would be typed into it.
  static func state(_ state: FeedState, fetching: String, isWriting: Bool = false) -> Lines? {
    if let error = state.error {
      return error.needsSignIn ? needsSignIn(error, isWriting: isWriting) : failed(error.sentence, isWriting: isWriting)
    }
    if state.wasCancelled, state.refreshedAt == nil {
      let help: Lines = isWriting ? [] : [[]] + keys(retries)
      return [[TextRun("Fetching was cancelled.", .text)]] + help
    }
    return state.refreshedAt == nil ? [[TextRun(fetching, .dim)]] : nil
  }

  /// Returns an error sentence and keys that help.
  static func failed(_ sentence: String, isWriting: Bool = false) -> Lines {
    let help = isWriting ? keys(helpWhileWriting) : keys(retries, (Action.help.key(in: .global), "shows all keys"))
    return [[TextRun(sentence, .error)], []] + help
  }

  private static func needsSignIn(_ error: DownloadError, isWriting: Bool) -> Lines {
    let help = isWriting ? keys(helpWhileWriting) : keys(signsIn, retries)
    return [[TextRun(error.summary, .error)], []] + help
  }

  static func nothing(_ sentence: String, _ words: (String, String)...) -> Lines {
    [[TextRun(sentence, .text)], []] + words.map(line)
  }

  /// Returns a sentence and help for a user who is signed out.
  static func needsAccount(_ sentence: String) -> Lines {
    nothing(sentence, ("qwinkle login URL", "in the shell signs in"), opensPublic)
  }

  /// Returns keys and their descriptions, one per line.
  static func keys(_ words: (String, String)...) -> Lines { words.map(line) }

  static func footer(for state: FeedState, loading: String) -> [TextRun<StyleRole>] {
    if state.isLoadingMore { return [TextRun(loading, .dim)] }
    return state.isComplete ? [TextRun(endOfList, .dim)] : []
  }

  private static func line(_ words: (String, String)) -> [TextRun<StyleRole>] {
    [TextRun(words.0, .key), TextRun(" \(words.1)", .dim)]
  }
}
