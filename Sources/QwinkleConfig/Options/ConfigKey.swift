/// The options, in the order in which they are explained. ``ConfigOption/all`` says what each is.
public enum ConfigKey: Int, CaseIterable, Sendable {
  case density, times, new, hide, start, messagesPane
  case mouse, theme, colours, ambiguousWidth, keymap
  case attention, quiet
  case pictures, picturesFrom, metered
  case enter, audience, language, hold
  case confirmQuit, confirmDelete
  case editor, browser, viewer, pager, tokenCommand
  case cache, linkConditioner

  /// What it is.
  public var option: ConfigOption { ConfigOption.all[rawValue] }

  /// Its name in the file.
  public var name: String { option.name }

  /// The option with this name.
  public init?(name: String) {
    guard let option = ConfigOption.all.first(where: { $0.name == name }) else { return nil }
    self = option.key
  }
}
