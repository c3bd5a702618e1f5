import PaneKit
import QwinkleService
import Terminal

/// What a list says where it has nothing to show.
enum PlaceholderWords {
  typealias Lines = [[TextRun<StyleRole>]]

  /// What is so while nothing has come: that it is being fetched, as `fetching` says, was given up, or could not be; nil where
  /// it has come.
  static func state(_ state: FeedState, fetching: String) -> Lines? {
    if let error = state.error {
      return [[TextRun(error.sentence, .error)], []] + keys(("R", "tries again"), ("?", "shows all keys"))
    }
    if state.wasCancelled, state.refreshedAt == nil {
      return [[TextRun("Fetching was given up.", .text)], []] + keys(("R", "tries again"))
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
