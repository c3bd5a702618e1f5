import PaneKit
import QwinkleAccount
import QwinkleService
import Terminal

/// What a list says where it has nothing to show.
enum PlaceholderWords {
  typealias Lines = [[TextRun<StyleRole>]]

  /// What is so while nothing has come: that it is being fetched, as `fetching` says, was given up, or could not be;
  /// nil where it has come. Where text is written meanwhile, keys that it takes are not named.
  static func state(_ state: FeedState, fetching: String, isWriting: Bool = false) -> Lines? {
    if let error = state.error {
      let help = isWriting ? keys(("F1", "shows all keys")) : keys(("R", "tries again"), ("?", "shows all keys"))
      return [[TextRun(error.sentence, .error)], []] + help
    }
    if state.wasCancelled, state.refreshedAt == nil {
      let help: Lines = isWriting ? [] : [[]] + keys(("R", "tries again"))
      return [[TextRun("Fetching was given up.", .text)]] + help
    }
    return state.refreshedAt == nil ? [[TextRun(fetching, .dim)]] : nil
  }

  /// One sentence, and keys that change what it says.
  static func nothing(_ sentence: String, _ words: (String, String)...) -> Lines {
    [[TextRun(sentence, .text)], []] + words.map(line)
  }

  /// Keys with what they do, one a line.
  static func keys(_ words: (String, String)...) -> Lines { words.map(line) }

  /// What stands below the last row.
  static func footer(for state: FeedState, loading: String) -> [TextRun<StyleRole>] {
    if state.isLoadingMore { return [TextRun(loading, .dim)] }
    return state.isComplete ? [TextRun("That is all there is.", .dim)] : []
  }

  private static func line(_ words: (String, String)) -> [TextRun<StyleRole>] {
    [TextRun(words.0, .key), TextRun(" \(words.1)", .dim)]
  }
}
