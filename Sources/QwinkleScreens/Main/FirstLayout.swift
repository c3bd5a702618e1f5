import PaneKit
public import QwinkleModel
import Terminal
public import Timekeeping

/// Speeds up the first layout and drawing of rows. They are slow because Swift searches all of the program's protocol
/// conformances to find how a type is hashed or compared, once for each type.
public enum FirstLayout {
  /// Lays out `qwink` and discards the result, so that the conformances are cached. Safe to call on any thread.
  public static func rehearse(with qwink: Qwink, in zone: ClockZone) {
    let data = QwinkCellData(
      qwink, Disclosure(of: qwink, in: .public, at: qwink.createdAt), quote: nil, isRevealed: false,
      now: qwink.createdAt, zone: zone)
    _ = QwinkCellLayout(data, columns: 80)
    _ = PlaceholderWords.nothing("", ("", ""))
    _ = Theme.terminal
    // Inserting the first element instantiates the set's type.
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
