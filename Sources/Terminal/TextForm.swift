import CWidth
import Synchronization

/// The form in which text goes to the terminal. The driver chooses it for the whole program, as all layout must agree.
/// It changes when a terminal replies how it draws, or when the user says so.
public enum TextForm: UInt8, Sendable {
  /// As it is.
  case unicode
  /// As it is, on a terminal that draws characters of ambiguous width in two columns. Lines, bars and other ornaments
  /// are ASCII, since layouts count on one column for them.
  case wideUnicode
  /// ASCII alone, for a locale or a terminal that has nothing else.
  case ascii

  private static let chosen = Atomic<UInt8>(TextForm.unicode.rawValue)

  /// The form in use.
  public static var current: TextForm {
    get { TextForm(rawValue: chosen.load(ordering: .relaxed)) ?? .unicode }
    set {
      chosen.store(newValue.rawValue, ordering: .relaxed)
      qw_set_ambiguous_columns(newValue == .wideUnicode ? 2 : 1)
    }
  }
}
