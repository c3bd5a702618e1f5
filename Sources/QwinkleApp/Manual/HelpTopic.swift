/// Topics of `qwinkle help TOPIC` in addition to commands. Each is explained on a manual page.
enum HelpTopic: String, CaseIterable {
  case options, config, themes, views, layouts, hooks, keys, keymaps, macros, tapes, environment, files

  var page: String {
    switch self {
    case .options, .config, .themes, .views, .layouts, .hooks: "qwinkle-config.5"
    case .keys, .keymaps, .macros: "qwinkle-keys.5"
    case .tapes: "qwinkle-tapes.5"
    case .environment, .files: "qwinkle.1"
    }
  }
}
