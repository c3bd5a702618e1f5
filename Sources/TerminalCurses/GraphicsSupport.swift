import Terminal

/// What is known of a terminal's pictures.
///
/// Several programs know kitty's graphics protocol, and only some of them its placeholders; nobody says so. Those that
/// do are known by their names.
struct GraphicsSupport {
  /// The first versions that know placeholders.
  private static let programs: [(name: String, major: Int, minor: Int)] = [("kitty", 0, 28), ("ghostty", 1, 0)]

  private var showsGraphics = false
  private var knowsPlaceholders = false

  init() {}

  /// Nothing is known before the terminal replies. One that isn't asked is what it is called.
  init(_ environment: TerminalEnvironment, isAsked: Bool) {
    guard !isAsked, environment.kind.hasPrefix("xterm-kitty") else { return }
    showsGraphics = true
    knowsPlaceholders = true
  }

  /// Whether pictures can be placed in cells.
  var placesPictures: Bool { showsGraphics && knowsPlaceholders }

  /// Takes a reply. Returns whether it says something of pictures.
  mutating func take(_ reply: TerminalReply) -> Bool {
    switch reply {
    case .graphics(let isShown): showsGraphics = isShown
    case .program(let name): knowsPlaceholders = Self.knowsPlaceholders(name)
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
