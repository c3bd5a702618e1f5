public import PaneKit
import Terminal

/// Qwinkle's own text roles, beyond PaneKit's.
extension StyleRole {
  public static let name: StyleRole = "name"
  /// A name that is less important than a name next to it.
  public static let quietName: StyleRole = "quiet-name"
  public static let selectedName: StyleRole = "selected-name"
  /// The first line of the selection.
  public static let selectedLine: StyleRole = "selected-line"
  public static let new: StyleRole = "new"
  public static let link: StyleRole = "link"
  public static let mention: StyleRole = "mention"
  public static let tag: StyleRole = "tag"
  public static let code: StyleRole = "code"
  public static let emphasis: StyleRole = "emphasis"
  /// Text added and removed by an edit.
  public static let added: StyleRole = "added"
  public static let removed: StyleRole = "removed"

  /// The colours of avatars, and of names in lists without avatars.
  static let avatars: [StyleRole] = (0..<12).map { StyleRole(rawValue: "avatar-\($0)") }
  static let coloredNames: [StyleRole] = (0..<12).map { StyleRole(rawValue: "name-\($0)") }

  /// All roles, in the order of a theme file.
  public static let all: [StyleRole] = ThemeReader.roles + avatars + coloredNames
}

extension Theme {
  /// A theme of the palette's 16 colours on the terminal's own background, which is dark.
  public static let terminal: Theme = {
    var styles: [StyleRole: TextStyle] = [
      .text: .plain,
      .dim: TextStyle(.palette(8)),
      .accent: TextStyle(.palette(6)),
      .strong: TextStyle(.standard, on: .standard, .bold),
      .emphasis: TextStyle(.standard, on: .standard, .italic),
      .name: TextStyle(.standard, on: .standard, .bold),
      .selectedName: TextStyle(.palette(15), on: .palette(4), .bold),
      .selectedLine: TextStyle(.palette(15), on: .palette(4)),
      .selection: TextStyle(.palette(6), on: .standard, .bold),
      .new: TextStyle(.palette(2), on: .standard, .bold),
      .warning: TextStyle(.palette(3)),
      .error: TextStyle(.palette(1), on: .standard, .bold),
      .rule: TextStyle(.palette(8)),
      .link: TextStyle(.palette(12), on: .standard, .underline),
      .mention: TextStyle(.palette(6)),
      .tag: TextStyle(.palette(5)),
      .code: TextStyle(.palette(3)),
      .key: TextStyle(.palette(6)),
      .added: TextStyle(.palette(2), on: .standard, .bold),
      .removed: TextStyle(.palette(1)),
    ]
    for (index, color) in avatarColors.enumerated() {
      styles[StyleRole.avatars[index]] = TextStyle(color, on: .standard, [.reverse])
      styles[StyleRole.coloredNames[index]] = TextStyle(color, on: .standard, .bold)
    }
    return Theme(styles)
  }()

  /// Like ``terminal``, but for a light background. Uses only colours that are readable there.
  public static let lightTerminal: Theme = {
    let (blue, magenta) = (TerminalColor.palette(4), TerminalColor.palette(5))
    var styles: [StyleRole: TextStyle] = [
      .accent: TextStyle(blue), .link: TextStyle(blue, on: .standard, .underline),
      .selection: TextStyle(blue, on: .standard, .bold),
      .new: TextStyle(blue, on: .standard, .bold), .warning: TextStyle(magenta), .mention: TextStyle(blue),
      .code: TextStyle(magenta), .key: TextStyle(blue), .added: TextStyle(blue, on: .standard, .bold),
    ]
    let colors = [.palette(1), blue, magenta]
    for index in StyleRole.avatars.indices {
      styles[StyleRole.avatars[index]] = TextStyle(colors[index % 3], on: .standard, [.reverse])
      styles[StyleRole.coloredNames[index]] = TextStyle(colors[index % 3], on: .standard, .bold)
    }
    return terminal.with(styles)
  }()

  /// The six bright colours of the palette.
  private static let avatarColors: [TerminalColor] = (0..<12).map { .palette(UInt8(9 + $0 % 6)) }
}
