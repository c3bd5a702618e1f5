/// What `qwinkle help TOPIC` explains besides commands, each on a page of the manual.
enum HelpTopic: String, CaseIterable {
  case options, config, themes, views, hooks, keys, keymaps, macros, tapes, environment, files

  /// The page that explains it.
  var page: String {
    switch self {
    case .options, .config, .themes, .views, .hooks: "qwinkle-config.5"
    case .keys, .keymaps, .macros: "qwinkle-keys.5"
    case .tapes: "qwinkle-tapes.5"
    case .environment, .files: "qwinkle.1"
    }
  }
}
