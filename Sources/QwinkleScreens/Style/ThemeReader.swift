public import PaneKit
public import QwinkleConfig
import QwinkleModel
import Terminal

/// Parses a theme. A line consists of a role and its style: `link  #6d9dd5 on #1b2230 underline`. A colour is
/// `#rrggbb`, one of the palette's sixteen colours (`red`, `bright-blue`), or `default`. The background follows `on`;
/// the default is the background of `text`. `avatars` is followed by up to twelve colours. Invalid lines are skipped
/// and added to ``problems``.
public struct ThemeReader {
  /// The parsed theme. Roles without a line look like `text`. Without any valid line, this is ``Theme/terminal``.
  public private(set) var theme: Theme
  public private(set) var problems: [ConfigProblem] = []

  /// The roles that a theme can define.
  public static let roles: [StyleRole] = [
    .text, .dim, .accent, .strong, .emphasis, .name, .quietName, .selectedName, .selectedLine, .selection, .new,
    .warning, .error, .rule, .link, .mention, .tag, .code, .key, .added, .removed,
  ]
  static let avatars = "avatars"
  private static let mostLines = 1000

  private static let attributes: [(name: String, attribute: TextStyle.Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
  ]
  private static let colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
  private static var colorNames: [String] { ["default"] + colors + colors.map { "bright-\($0)" } }

  /// The style of a role. The background is nil if the line has none.
  private struct Looks {
    var foreground: TerminalColor
    var background: TerminalColor?
    var attributes: TextStyle.Attributes = []
  }

  public init(_ text: String) {
    theme = .terminal
    var looks: [(role: StyleRole, looks: Looks)] = []
    var avatars: [TerminalColor] = []
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.mostLines) {
      number += 1
      let words = Self.words(of: line)
      guard let first = words.first, first.text.first != "#" else { continue }
      do throws(ConfigProblem) {
        if first.text == Self.avatars {
          avatars = try words.dropFirst().prefix(StyleRole.avatars.count).map { word throws(ConfigProblem) in
            try Self.color(word, number)
          }
          if avatars.isEmpty { throw Self.problem(first, number, "avatars needs colours.") }
          continue
        }
        guard let role = Self.roles.first(where: { $0.rawValue == first.text }) else {
          let nearest = NearestWord.find(String(first.text), among: Self.roles.map(\.rawValue) + [Self.avatars])
          throw Self.problem(
            first, number, "No role “\(first.text)”." + (nearest.map { " Did you mean \($0)?" } ?? ""))
        }
        looks.append((role, try Self.looks(first, words.dropFirst(), number)))
      } catch {
        problems.append(error)
      }
    }
    guard !looks.isEmpty || !avatars.isEmpty else { return }
    theme = Self.theme(looks, avatars)
  }

  private static func theme(_ looks: [(role: StyleRole, looks: Looks)], _ avatars: [TerminalColor]) -> Theme {
    let text = looks.last { $0.role == .text }?.looks
    let background = text?.background ?? .standard
    var styles: [StyleRole: TextStyle] = [:]
    for role in roles {
      guard let looks = looks.last(where: { $0.role == role })?.looks else {
        // The terminal theme's colours may be unreadable on this background, so a role without a style looks like text.
        styles[role] = TextStyle(text?.foreground ?? .standard, on: background)
        continue
      }
      styles[role] = TextStyle(looks.foreground, on: looks.background ?? background, looks.attributes)
    }
    for index in StyleRole.avatars.indices {
      let color = avatars.isEmpty ? text?.foreground ?? .standard : avatars[index % avatars.count]
      styles[StyleRole.avatars[index]] = TextStyle(color, on: background, [.reverse])
      styles[StyleRole.coloredNames[index]] = TextStyle(color, on: background, .bold)
    }
    return Theme(styles)
  }

  // MARK: Words

  private typealias Word = (text: Substring, column: Int)

  private static func words(of line: Substring) -> [Word] {
    var words: [Word] = []
    var column = 1
    var rest = line.unicodeScalars[...]
    while !rest.isEmpty {
      let space = rest.prefix { $0 == " " || $0 == "\t" || $0 == "\r" }
      rest = rest.dropFirst(space.count)
      column += space.count
      let word = rest.prefix { $0 != " " && $0 != "\t" && $0 != "\r" }
      guard !word.isEmpty else { break }
      words.append((Substring(word), column))
      rest = rest.dropFirst(word.count)
      column += word.count
    }
    return words
  }

  private static func problem(_ word: Word, _ line: Int, _ sentence: String) -> ConfigProblem {
    ConfigProblem(line: line, column: word.column, sentence: sentence)
  }

  private static func looks(_ role: Word, _ words: ArraySlice<Word>, _ line: Int) throws(ConfigProblem) -> Looks {
    guard let first = words.first else { throw problem(role, line, "\(role.text) needs a colour.") }
    var looks = Looks(foreground: try color(first, line))
    var rest = words.dropFirst()
    if let on = rest.first, on.text == "on" {
      rest = rest.dropFirst()
      guard let word = rest.popFirst() else { throw problem(on, line, "A colour is needed after on.") }
      looks.background = try color(word, line)
    }
    for word in rest {
      guard let attribute = attributes.first(where: { $0.name == word.text })?.attribute else {
        let nearest = NearestWord.find(String(word.text), among: attributes.map(\.name))
        throw problem(
          word, line,
          "“\(word.text)” is not bold, dim, italic, underline or reverse."
            + (nearest.map { " Did you mean \($0)?" } ?? ""))
      }
      looks.attributes.insert(attribute)
    }
    return looks
  }

  private static func color(_ word: Word, _ line: Int) throws(ConfigProblem) -> TerminalColor {
    if word.text == "default" { return .standard }
    if let index = colors.firstIndex(where: { $0 == word.text }) { return .palette(UInt8(index)) }
    if word.text.hasPrefix("bright-"), let index = colors.firstIndex(where: { $0 == word.text.dropFirst(7) }) {
      return .palette(UInt8(index + 8))
    }
    let digits = word.text.dropFirst()
    if word.text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    {
      return .rgb(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
    let nearest = NearestWord.find(String(word.text), among: colorNames)
    throw problem(
      word, line,
      "“\(word.text)” is not a colour: #rrggbb, red or bright-red." + (nearest.map { " Did you mean \($0)?" } ?? ""))
  }
}
