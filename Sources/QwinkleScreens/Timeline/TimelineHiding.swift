import QwinkleModel

/// The reader's choices about hidden rows in one timeline, and their effect on the rows in memory.
struct TimelineHiding {
  /// The kinds that the reader has chosen to hide here. Nil uses the `hide` option.
  var kinds: Set<HiddenKind>?
  /// Rules that the reader has typed here. They apply until the end of the visit.
  var rules: [ViewRule] = []
  /// Whether the rules of the configuration are ignored until the end of the visit.
  var ignoresConfigured = false
  /// Whether hidden rows are shown until the reader hides them again.
  var isLifted = false
  /// The read mark at the beginning of the visit. Rows that it marks as read can be hidden.
  var visitMark: ReadMark?
  /// Read rows that were selected when they would have been hidden. They stay visible.
  var spared: Set<Qwink.RowID> = []
  /// Number of rows in memory that are hidden by kind or rule, or because they were read.
  var count = 0
  /// Whether the loaded rows reach the read rows, which are hidden. No older row needs to be loaded then.
  var endsAtRead = false
  /// The decisions of `decidedBy` about rows, so that an update doesn't examine the text of every row again. A row that
  /// is shown stays when it is changed so that a rule matches.
  private var decisions: [Qwink.RowID: Bool] = [:]
  private var decidedBy = HiddenQwinks()
  private var decidedFor: Qwinker.ID?

  /// Begins another visit with `mark` as the read mark. Only the chosen kinds remain.
  mutating func beginVisit(_ mark: ReadMark?) {
    rules = []
    ignoresConfigured = false
    isLifted = false
    begin(at: mark)
  }

  /// Treats the rows that `mark` marks as read as read before the visit.
  mutating func begin(at mark: ReadMark?) {
    visitMark = mark
    spared = []
    decisions = [:]
  }

  /// Whether `hidden` contains a qwink.
  mutating func hides(_ qwink: Qwink, by hidden: HiddenQwinks, me: Qwinker.ID?) -> Bool {
    if hidden.rules.isEmpty { return hidden.contains(qwink, me: me) }
    if hidden != decidedBy || me != decidedFor {
      (decidedBy, decidedFor) = (hidden, me)
      decisions = [:]
    }
    if let decision = decisions[qwink.rowID] { return decision }
    let decision = hidden.contains(qwink, me: me)
    decisions[qwink.rowID] = decision
    return decision
  }

  /// Forgets decisions about rows that aren't in memory, when there are many.
  mutating func forgetDecisions(except rows: [Timeline.Row]) {
    guard decisions.count > 2 * rows.count + 400 else { return }
    let known = Set(rows.lazy.compactMap { $0.qwink?.rowID })
    decisions = decisions.filter { known.contains($0.key) }
  }
}

/// The rows of a timeline that were read before the visit.
struct ReadRows {
  /// The index of the first row that the mark marks as read. Gaps from there on are among read rows.
  let start: Int
  private let unread: Set<SkippedRow>
  private let spared: Set<Qwink.RowID>

  /// Returns nil if no row of `rows` was read, or if the position of `mark` is unknown.
  ///
  /// - Parameters:
  ///   - skipped: Rows below the mark that are unread.
  ///   - spared: Read rows that stay visible.
  init?(_ rows: [Timeline.Row], mark: ReadMark?, skipped: [SkippedRow], spared: Set<Qwink.RowID>) {
    guard let mark, let start = rows.firstRead(by: mark), start < rows.count else { return nil }
    self.start = start
    self.spared = spared
    unread = Set(mark.skipped + skipped)
  }

  /// Whether the row at `index` was read before the visit.
  func contains(_ row: Timeline.Row, at index: Int) -> Bool {
    guard index >= start, let qwink = row.qwink else { return false }
    return !spared.contains(qwink.rowID) && !unread.contains(SkippedRow(qwink))
  }
}
