import PaneKit
import QwinkleConfig

/// Strings of the user's own views.
enum SavedSearchWords {
  static let looking = "Searching the cache…"
  static let nothing = "No cached post matches yet."
  static let nothingYet = "Nothing found so far. The cache is still being indexed."
  static let noViews = "No views yet: add some to [views] in config.toml."
  static let noCache = "Nothing is cached on this machine."
  static let fetches = (Action.refresh.key, "fetches what is new")

  static func title(of view: OwnView?) -> String { view?.name ?? "Views" }

  /// Returns a title for a rule that the user typed: the rule itself, truncated to 30 characters.
  static func typed(_ rule: String) -> String { rule.count > 30 ? rule.prefix(29) + "…" : rule }

  /// Returns the error for `:view` with an unknown name.
  static func noView(_ name: String, nearest: String?) -> String {
    "No view “\(name)”. " + (nearest.map { "Did you mean \($0)?" } ?? "Views are in [views] in config.toml.")
  }
}
