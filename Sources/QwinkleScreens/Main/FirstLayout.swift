import PaneKit
public import QwinkleModel
import Terminal
public import Timekeeping

/// What is slow only the first time that rows are laid out and drawn: Swift looks for how a type is hashed or compared
/// among all conformances of the program, once for each type.
public enum FirstLayout {
  /// Lays out `qwink` and forgets what came of it, so that those types are known from then on. For any thread.
  public static func rehearse(with qwink: Qwink, in zone: ClockZone) {
    let data = QwinkCellData(
      qwink, Disclosure(of: qwink, in: .public, at: qwink.createdAt), quote: nil, isRevealed: false,
      now: qwink.createdAt, zone: zone)
    _ = QwinkCellLayout(data, columns: 80)
    _ = PlaceholderWords.nothing("", ("", ""))
    _ = Theme.terminal
    // A set's own type is made with its first element.
    var rows: Set<Qwink.RowID> = []
    rows.insert(qwink.rowID)
    var timelines: Set<TimelineName> = []
    timelines.insert(.public)
    var sections: Set<Section> = []
    sections.insert(.public)
    var styles: Set<TextStyle> = []
    styles.insert(.plain)
  }
}
