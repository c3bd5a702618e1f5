/// The form in which text goes to a terminal, which decides how many columns it takes.
/// ``TerminalCapabilities/textForm`` says which; it changes when the terminal replies how it draws, or when the user
/// says so.
///
/// What measures or draws text is handed the form. Where it is not said, it is ``current``.
public struct TextForm: Hashable, Sendable {
  enum Characters: Hashable, Sendable {
    case unicode, wideUnicode, ascii
  }

  /// As it is.
  public static let unicode = TextForm(characters: .unicode)
  /// As it is, on a terminal that draws characters of ambiguous width in two columns. Lines, bars and other ornaments
  /// are ASCII, since layouts count on one column for them.
  public static let wideUnicode = TextForm(characters: .wideUnicode)
  /// ASCII alone, for a locale or a terminal that has nothing else.
  public static let ascii = TextForm(characters: .ascii)

  /// The form of the screen that is being laid out or drawn. A window binds its own around both.
  @TaskLocal public static var current = TextForm.unicode

  let characters: Characters
  /// Whether clusters of several letters are drawn whole: the terminal does not give each part the columns that
  /// `wcwidth` does.
  public var drawsClustersWhole = false
  /// Whether emoji sequences are drawn whole, in two columns, as the terminal does; otherwise their first emoji.
  public var drawsEmojiWhole = false

  init(characters: Characters) {
    self.characters = characters
  }

  /// Whether block elements are drawn as they are, in one column.
  public var drawsBlocks: Bool { characters == .unicode }

  /// The same characters, with what the terminal draws whole left as it was.
  public func with(charactersOf other: TextForm) -> TextForm {
    var form = TextForm(characters: other.characters)
    form.drawsClustersWhole = drawsClustersWhole
    form.drawsEmojiWhole = drawsEmojiWhole
    return form
  }

  /// Whether characters go to the terminal as in `other`, and have the same columns.
  public func hasCharacters(of other: TextForm) -> Bool { characters == other.characters }

  /// Columns of characters of ambiguous width: 1 or 2.
  public var ambiguousColumns: Int { characters == .wideUnicode ? 2 : 1 }
  /// Whether text is drawn in ASCII alone.
  public var isASCII: Bool { characters == .ascii }
}
