import PaneKit
import QwinkleConfig

/// The words of views of the user's own.
enum RuleViewWords {
  static let looking = "Looking through what is kept here…"
  static let nothing = "Nothing kept here fits this view yet."
  static let nothingYet = "Nothing found so far. What is kept here is still being indexed."
  static let noViews = "No views yet: write some below [views] in config.toml."
  static let noCache = "Nothing is kept on this machine."
  static let fetches = (Action.refresh.key, "fetches what is new")

  static func title(of view: OwnView?) -> String { view?.name ?? "Views" }

  /// The name of a rule that was typed.
  static func typed(_ rule: String) -> String { rule.count > 30 ? rule.prefix(29) + "…" : rule }

  /// `:view` with a name that no view has.
  static func noView(_ name: String, nearest: String?) -> String {
    "No view “\(name)”. " + (nearest.map { "Did you mean \($0)?" } ?? "Views stand below [views] in config.toml.")
  }
}
