import Terminal

/// What is known of a terminal's pictures.
///
/// Several programs know kitty's graphics protocol, and only some of them its placeholders; nobody says so. Those that
/// do are known by their names.
struct GraphicsSupport {
  /// The first versions that know placeholders.
  private static let programs: [(name: String, major: Int, minor: Int)] = [("kitty", 0, 28), ("ghostty", 1, 0)]

  /// Those that know iTerm2's protocol, as they call themselves.
  private static let filePrograms = ["iterm", "wezterm"]
  /// What a terminal that shows sixels has among its attributes (DA1).
  private static let sixelAttribute = 4

  private var showsGraphics = false
  private var knowsPlaceholders = false
  private var knowsFiles = false
  private var showsSixels = false

  init() {}

  /// Little is known before the terminal replies: what the environment says may be another terminal's around it. One
  /// that isn't asked is what it is called.
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

  /// How one is drawn over cells. Files have all colours, sixels 256.
  var drawing: PictureDrawing? { placesPictures ? nil : knowsFiles ? .file : showsSixels ? .sixel : nil }

  /// Takes a reply. Returns whether it says something of pictures.
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

  /// `name` is a name and a version, such as `kitty(0.35.2)` or `ghostty 1.1.0`.
  private static func knowsPlaceholders(_ name: String) -> Bool {
    let name = name.lowercased()
    guard let program = programs.first(where: { name.hasPrefix($0.name) }) else { return false }
    let numbers = name.dropFirst(program.name.count).split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count >= 2 else { return false }
    return (numbers[0], numbers[1]) >= (program.major, program.minor)
  }
}
