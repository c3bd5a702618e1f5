import Synchronization

/// In which form text goes to the terminal. Chosen by the driver that has the terminal, for the whole program, as all
/// that lays out text must agree; it changes at most once, when a terminal answers how it draws.
public enum TextForm: UInt8, Sendable {
  /// As it is.
  case unicode
  /// As it is, on a terminal that draws what Unicode calls ambiguous two columns wide: lines, bars and other ornaments,
  /// of which layouts know that they take one column, are ASCII.
  case wideUnicode
  /// ASCII alone, for a locale or a terminal that has nothing else.
  case ascii

  private static let chosen = Atomic<UInt8>(TextForm.unicode.rawValue)

  /// What the terminal gets.
  public static var current: TextForm {
    get { TextForm(rawValue: chosen.load(ordering: .relaxed)) ?? .unicode }
    set { chosen.store(newValue.rawValue, ordering: .relaxed) }
  }
}
