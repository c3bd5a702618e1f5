import Terminal

/// A query to the terminal. Drawing doesn't wait for the reply, and a late reply does no harm.
///
/// The width of text can only be measured by drawing it and requesting the cursor's position (DSR 6). Each such query
/// begins in a different column, which identifies its reply.
enum TerminalQuery: Hashable, CaseIterable {
  /// Whether the terminal supports synchronized output (DECRQM of mode 2026).
  case synchronizedOutput
  /// The program that draws the terminal (XTVERSION).
  case program
  /// Whether the terminal shows pictures (kitty's graphics protocol).
  case graphics
  /// The terminal's features (DA1).
  case attributes
  /// The size of a cell in pixels (XTWINOPS 16).
  case cellSize
  /// The size of the text area in pixels (XTWINOPS 14), for terminals that don't support `cellSize`.
  case areaSize
  /// The background colour (OSC 11).
  case background
  /// The width of a cluster of two letters and a spacing vowel sign, normally three columns. It is less if the terminal
  /// draws a cluster in one or two columns (mode 2027), or gives the vowel sign no column.
  case clusterWidth
  /// The width of emoji sequences: two columns each, if the terminal supports them.
  case emojiWidth
  /// The width of characters of ambiguous width. This query is sent last, and every terminal replies to it. Replies
  /// arrive in order, so this reply means that the others have arrived too, except through some multiplexers
  /// (``OpenQueries``).
  case ambiguousWidth

  /// The row, counted from 1, in which queries are sent, and in which a terminal may print a query that it doesn't
  /// support. It must not be the first row, where a reply with the cursor's position would look like a key.
  static let row = 2
  /// Number of columns that the queries need, including sequences that a terminal prints because it doesn't support
  /// them.
  static let columns = 40

  /// Returns the bytes that send `queries` in this order. The bytes save the cursor and the style, and restore them.
  static func bytes(asking queries: [TerminalQuery]) -> [UInt8] {
    Array("\u{1B}7\(queries.map(\.sequence).joined())\u{1B}8".utf8)
  }

  /// The column, from 1, in which the query's text begins. Nil if the query has no text.
  var column: Int? {
    switch self {
    case .ambiguousWidth: 1
    case .clusterWidth: 6
    case .emojiWidth: 26
    default: nil
    }
  }

  private var sequence: String {
    switch self {
    case .synchronizedOutput: "\u{1B}[?2026$p"
    case .program: "\u{1B}[>q"
    case .attributes: "\u{1B}[c"
    case .cellSize: "\u{1B}[16t"
    case .areaSize: "\u{1B}[14t"
    case .background: "\u{1B}]11;?\u{1B}\\"
    // A terminal that doesn't support this query may print it, so the query is sent in the row that is redrawn.
    case .graphics: "\u{1B}[\(Self.row);1H\u{1B}_\(GraphicsCommand.query)\u{1B}\\"
    case .ambiguousWidth: measuring("\u{2500}")
    case .clusterWidth: measuring("\u{915}\u{94D}\u{937}\u{93F}")
    // A family of three, a thumb with a skin tone, a flag.
    case .emojiWidth:
      measuring("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{1F44D}\u{1F3FD}\u{1F1E9}\u{1F1EA}")
    }
  }

  private func measuring(_ text: String) -> String { "\u{1B}[\(Self.row);\(column ?? 1)H\(text)\u{1B}[6n" }
}

/// A terminal's reply to a query. Unexpected replies are ignored, and no reply is read as keys.
enum TerminalReply: Hashable {
  /// The cursor's position, from 1 (CPR).
  case cursor(row: Int, column: Int)
  /// The state of a private mode (DECRPM): 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
  case mode(Int, state: Int)
  /// Name and version of the program that draws the terminal (XTVERSION).
  case program(String)
  /// Whether the terminal could show a picture.
  case graphics(isShown: Bool)
  /// Numbers of the terminal's features (DA1).
  case attributes([Int])
  /// Size of a cell in pixels.
  case cellSize(width: Int, height: Int)
  /// Size of the text area in pixels.
  case areaSize(width: Int, height: Int)
  case background(TerminalBackground)

  /// The query to which this is the reply.
  var query: TerminalQuery {
    let column: Int
    switch self {
    case .cursor(_, let place): column = place
    case .mode: return .synchronizedOutput
    case .program: return .program
    case .graphics: return .graphics
    case .attributes: return .attributes
    case .cellSize: return .cellSize
    case .areaSize: return .areaSize
    case .background: return .background
    }
    // A cursor's position is the reply to the query whose text begins closest before the cursor.
    return TerminalQuery.allCases.filter { $0.column.map { $0 < column } ?? false }
      .max { ($0.column ?? 0) < ($1.column ?? 0) } ?? .ambiguousWidth
  }

  /// Whether the terminal supports synchronized output.
  var confirmsSynchronizedOutput: Bool { self == .mode(2026, state: 1) || self == .mode(2026, state: 2) }

  /// Whether this is the cursor's position after a query's text.
  var measuresText: Bool {
    guard case .cursor(row: TerminalQuery.row, _) = self else { return false }
    return true
  }

  /// Returns the size of a cell. It is reported, or computed from the reported area of a screen of `size`. Nil for
  /// other replies.
  func cellSize(onScreenOf size: Size) -> CellSize? {
    switch self {
    case .cellSize(let width, let height): CellSize(width: width, height: height)
    case .areaSize(let width, let height): CellSize(of: size, inWidth: width, height: height)
    default: nil
    }
  }

  /// Returns `form` with the change that this reply implies.
  func textForm(changing form: TextForm) -> TextForm {
    guard measuresText, case .cursor(_, let column) = self, let first = query.column else { return form }
    var form = form
    switch (query, column - first) {
    case (.ambiguousWidth, 2): form = form.with(charactersOf: .wideUnicode)
    // This terminal shows each of the character's three bytes separately.
    case (.ambiguousWidth, 3): form = form.with(charactersOf: .ascii)
    case (.clusterWidth, 1...2): form.drawsClustersWhole = true
    case (.emojiWidth, 6): form.drawsEmojiWhole = true
    default: break
    }
    return form
  }

  /// Parses a control sequence. Fails if it isn't a reply.
  init?(final: UInt8, parameters: ArraySlice<UInt8>, between: ArraySlice<UInt8>) {
    switch final {
    case UInt8(ascii: "R"):
      let numbers = Self.numbers(parameters)
      // In the first row, the reply would look like F3 with a modifier.
      guard between.isEmpty, numbers.count == 2, numbers[0] > 1, numbers[1] > 0 else { return nil }
      self = .cursor(row: numbers[0], column: numbers[1])
    case UInt8(ascii: "y"):
      let numbers = Self.numbers(parameters.dropFirst())
      guard parameters.first == UInt8(ascii: "?"), between.elementsEqual("$".utf8), numbers.count == 2 else {
        return nil
      }
      self = .mode(numbers[0], state: numbers[1])
    case UInt8(ascii: "c"):
      guard parameters.first == UInt8(ascii: "?"), between.isEmpty else { return nil }
      // The first number is the type of terminal.
      self = .attributes(Array(Self.numbers(parameters.dropFirst()).dropFirst()))
    case UInt8(ascii: "t"):
      let numbers = Self.numbers(parameters)
      guard between.isEmpty, numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
      switch numbers[0] {
      case 4: self = .areaSize(width: numbers[2], height: numbers[1])
      case 6: self = .cellSize(width: numbers[2], height: numbers[1])
      default: return nil
      }
    default:
      return nil
    }
  }

  /// The first bytes of replies in string sequences.
  static let stringStarts = ["\u{1B}_Gi=", "\u{1B}P>|", "\u{1B}]11;"].map { Array($0.utf8) }

  /// Parses a string sequence without its terminator. Fails if it isn't a reply.
  init?(string bytes: ArraySlice<UInt8>) {
    if bytes.starts(with: Self.stringStarts[0]) {
      self = .graphics(isShown: bytes.dropFirst(2).elementsEqual("Gi=31;OK".utf8))
    } else if bytes.starts(with: Self.stringStarts[1]) {
      self = .program(String(decoding: bytes.dropFirst(Self.stringStarts[1].count), as: UTF8.self))
    } else if bytes.starts(with: Self.stringStarts[2]) {
      let color = String(decoding: bytes.dropFirst(Self.stringStarts[2].count), as: UTF8.self)
      guard let background = Self.background(color) else { return nil }
      self = .background(background)
    } else {
      return nil
    }
  }

  /// Parses a colour such as `rgb:1a1a/2b2b/3c3c`, with one to four digits per component.
  private static func background(_ color: String) -> TerminalBackground? {
    guard let colon = color.firstIndex(of: ":"), ["rgb", "rgba"].contains(color[..<colon]) else { return nil }
    let parts = color[color.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
    let shares = parts.prefix(3).compactMap { part -> Double? in
      guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit), let value = Int(part, radix: 16) else {
        return nil
      }
      return Double(value) / Double(1 << (4 * part.count) - 1)
    }
    guard shares.count == 3, parts.count <= 4 else { return nil }
    // Perceived brightness (ITU-R BT.601).
    return 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] > 0.5 ? .light : .dark
  }

  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? -1
    }
  }
}
