import PaneKit
import QwinkleModel

/// Strings of the search screen.
enum SearchWords {
  static let title = "Search"
  static let field = "Search for"
  static let searchingNote = "searching…"
  static let tooLong = "The search text is too long."
  static let about = "Find people, hashtags and posts, or open an address."
  static let checkSpelling = "Your server could not find it. Check the spelling."
  static let signIn = "Sign in to find people and posts on other servers."
  static let tryOtherWords = "Try fewer or other words. To find a user on another server, type @name@server."

  static let people = "People"
  static let tags = "Hashtags"
  static let qwinks = "Posts"

  static let enterSearches = (Action.findingGo.key, "searches")
  static let slashStarts = (Action.searchEdit.key, "starts a search")
  static let slashEdits = (Action.searchEdit.key, "edits the search")

  static func searching(_ words: String) -> String { "Searching for “\(words)”…" }

  static func nothing(for words: String) -> String { "No results for “\(words)”." }

  static func oldResults(for words: String) -> String { "results for “\(words)”" }

  static func nothingHere(for words: String) -> String { "This machine has no results for “\(words)” either." }

  /// Returns the remark above cached results. `isWhole` is true if the whole cache was searched.
  static func cached(_ count: Int, isOffline: Bool, isWhole: Bool) -> String {
    let results = count == 1 ? "1 result" : "\(count) results"
    let place = isWhole ? "from this machine" : "so far, still indexing"
    return isOffline ? "Offline: \(results) \(place)" : "\(results) \(place)"
  }

  static func found(_ count: Int) -> String { "\(count) found" }

  /// Returns the text next to a hashtag in the results.
  static func recentUses(_ count: Int) -> String { "\(Counted.words(count, "post")) recently" }
}
