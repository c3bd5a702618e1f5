/// The keys of the options. They must be in the same order as ``ConfigOption/all``, because a key's raw value is an
/// index into that array.
public enum ConfigKey: Int, CaseIterable, Sendable {
  case density, times, new, order, hide, start, messagesPane
  case mouse, theme, colours, ambiguousWidth, keymap
  case attention, quiet
  case pictures, picturesFrom, metered, preserve
  case enter, audience, language, hold, altReminder
  case confirmQuit, confirmDelete
  case editor, browser, viewer, player, pager, tokenCommand
  case socket, cache, linkConditioner

  /// The option's description.
  public var option: ConfigOption { ConfigOption.all[rawValue] }

  /// The option's name in the file.
  public var name: String { option.name }

  /// Creates the key of the option with this name.
  public init?(name: String) {
    guard let option = ConfigOption.all.first(where: { $0.name == name }) else { return nil }
    self = option.key
  }
}
