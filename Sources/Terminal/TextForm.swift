/// The form in which text goes to a terminal, which decides how many columns it takes.
/// ``TerminalCapabilities/textForm`` says which; it changes when the terminal replies how it draws, or when the user
/// says so.
///
/// What measures or draws text is handed the form. Where it is not said, it is ``current``.
public enum TextForm: Hashable, Sendable {
  /// As it is.
  case unicode
  /// As it is, on a terminal that draws characters of ambiguous width in two columns. Lines, bars and other ornaments
  /// are ASCII, since layouts count on one column for them.
  case wideUnicode
  /// ASCII alone, for a locale or a terminal that has nothing else.
  case ascii

  /// The form of the screen that is being laid out or drawn. A window binds its own around both.
  @TaskLocal public static var current = TextForm.unicode

  /// Columns of characters of ambiguous width: 1 or 2.
  public var ambiguousColumns: Int { self == .wideUnicode ? 2 : 1 }
}
