/// A task of `:layout`.
public enum LayoutCommand: Hashable, Sendable {
  /// Lists all layouts.
  case list
  case show(String)
  /// Writes the current arrangement to `config.toml`.
  case save(String)

  init(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    if words.isEmpty {
      self = .list
    } else if words.count > 1, words[0] == "save" {
      self = .save(words.dropFirst().joined(separator: " "))
    } else {
      self = .show(words.joined(separator: " "))
    }
  }
}
