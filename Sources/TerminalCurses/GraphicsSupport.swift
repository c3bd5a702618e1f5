import Terminal

/// A terminal's support for pictures.
///
/// Several terminals support kitty's graphics protocol. Only some of these also support its placeholders, which are
/// characters that show parts of a picture, but terminals don't report this. Therefore, terminals with placeholders are
/// recognized by their names.
struct GraphicsSupport {
  /// Minimum versions with support for placeholders.
  private static let programs: [(name: String, major: Int, minor: Int)] = [("kitty", 0, 28), ("ghostty", 1, 0)]

  /// Names of programs that support iTerm2's protocol.
  private static let filePrograms = ["iterm", "wezterm"]
  /// The number that terminals with sixel support include in their list of features (DA1).
  private static let sixelAttribute = 4

  private var showsGraphics = false
  private var knowsPlaceholders = false
  private var knowsFiles = false
  private var showsSixels = false

  init() {}

  /// Infers the support from the environment. If the terminal will be queried (`isAsked`), infers only the support of
  /// iTerm2's protocol, because the environment may describe an outer terminal. The replies will report the rest.
  init(_ environment: TerminalEnvironment, isAsked: Bool) {
    let name = environment.kind
    knowsFiles = !TerminalKind.isMultiplexer(name) && Self.filePrograms.contains(where: environment.program.hasPrefix)
    guard !isAsked else { return }
    showsGraphics = name.hasPrefix("xterm-kitty")
    knowsPlaceholders = showsGraphics
    knowsFiles = Self.filePrograms.contains(where: name.hasPrefix)
    showsSixels = name.hasPrefix("foot") || name.hasPrefix("mlterm")
  }

  /// Whether pictures can be placed in cells.
  var placesPictures: Bool { showsGraphics && knowsPlaceholders }

  /// The protocol for drawing pictures over cells. Nil if the terminal supports none, or if pictures can be placed in
  /// cells, which is preferred. Files take precedence over sixels, because sixels have only 256 colours.
  var drawing: PictureDrawing? { placesPictures ? nil : knowsFiles ? .file : showsSixels ? .sixel : nil }

  /// Processes a reply. Returns whether the reply is about pictures.
  mutating func take(_ reply: TerminalReply) -> Bool {
    switch reply {
    case .graphics(let isShown): showsGraphics = isShown
    case .program(let name):
      knowsPlaceholders = Self.knowsPlaceholders(name)
      knowsFiles = Self.filePrograms.contains(where: name.lowercased().hasPrefix)
    case .attributes(let numbers): showsSixels = numbers.contains(Self.sixelAttribute)
    default: return false
    }
    return true
  }

  /// Whether a program supports placeholders. `name` includes its version, as in `kitty(0.35.2)` or `ghostty 1.1.0`.
  private static func knowsPlaceholders(_ name: String) -> Bool {
    let name = name.lowercased()
    guard let program = programs.first(where: { name.hasPrefix($0.name) }) else { return false }
    let numbers = name.dropFirst(program.name.count).split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count >= 2 else { return false }
    return (numbers[0], numbers[1]) >= (program.major, program.minor)
  }
}
