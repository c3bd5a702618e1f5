/// The form in which text is sent to a terminal. It determines how many columns text takes.
///
/// The form in use is ``TerminalCapabilities/textForm``. It changes when the terminal replies to a query, or when the
/// user sets it. Code that measures or draws text without an explicit form uses ``current``.
public struct TextForm: Hashable, Sendable {
  enum Characters: Hashable, Sendable {
    case unicode, wideUnicode, ascii
  }

  /// Unicode text, for a terminal that draws characters of ambiguous width in one column.
  public static let unicode = TextForm(characters: .unicode)
  /// Unicode text, for a terminal that draws characters of ambiguous width in two columns. Lines, bars and other
  /// ornaments are ASCII, because layouts expect them to take one column.
  public static let wideUnicode = TextForm(characters: .wideUnicode)
  /// Only ASCII, for a locale or a terminal that supports nothing else.
  public static let ascii = TextForm(characters: .ascii)

  /// The form of the screen that is being laid out or drawn. Each window binds its own form while it lays out or draws
  /// its views.
  @TaskLocal public static var current = TextForm.unicode

  let characters: Characters
  /// Whether the terminal draws a cluster of several letters as a whole. Other terminals draw each character of a
  /// cluster in as many columns as `wcwidth` returns.
  public var drawsClustersWhole = false
  /// Whether the terminal draws an emoji sequence as a whole, in two columns. For other terminals, a sequence is
  /// reduced to its base emoji, and a flag to its letters.
  public var drawsEmojiWhole = false

  init(characters: Characters) {
    self.characters = characters
  }

  /// Whether block elements are drawn unchanged, in one column.
  public var drawsBlocks: Bool { characters == .unicode }

  /// Returns a copy of this form with the characters of `other`.
  public func with(charactersOf other: TextForm) -> TextForm {
    var form = TextForm(characters: other.characters)
    form.drawsClustersWhole = drawsClustersWhole
    form.drawsEmojiWhole = drawsEmojiWhole
    return form
  }

  /// Whether both forms use the same characters, with the same widths.
  public func hasCharacters(of other: TextForm) -> Bool { characters == other.characters }

  /// Width of characters of ambiguous width: 1 or 2 columns.
  public var ambiguousColumns: Int { characters == .wideUnicode ? 2 : 1 }
  /// Whether text is drawn in ASCII only.
  public var isASCII: Bool { characters == .ascii }
}
