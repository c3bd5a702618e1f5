public import QwinkleModel

/// Checks a client's view of a ``ModelServer``'s list after each answer and records faults.
///
/// The client must follow these rules:
///
/// - *No row vanishes.* A row from an answer stays shown while the server has it at the same place, can encode it and
///   doesn't filter it. A row that an answer has in malformed form also stays if the answer has both of its neighbours.
///   The user's own row that no answer has contained yet stays until three newest pages have arrived without it. Then
///   the client may consider it lost.
/// - *No row is missing without a gap.* If the server has another row between two rows without a gap, an answer must
///   have covered its place after these two rows reached theirs and before the other row arrived. So a row that has
///   just arrived and ends a page needs a gap below it. A client that polls the newest page can't detect a row that
///   arrives late below all pages fetched since. No client can, without a second kind of request. Nor can it detect
///   rows that the first row of the list, or the first row below a gap, has passed on its way up to the end of a page.
///   A row that is hidden, or that has since moved away, links its neighbours as a shown row does. A row that an answer
///   had in malformed form may link them: a client can't know whether the row is new or one that it knows.
/// - *Deleted rows are removed* with the first answer that proves the deletion. Such an answer has a row shown above
///   the deleted row and a row shown below it, or is the first page. A few known rows around many deleted ones may have
///   moved up. Then the deleted rows may stay below a gap. A row proves nothing about its former neighbours if the
///   answer has it at another place than earlier answers, if the server had removed it in the meantime, or if only a
///   repeat had delivered it.
/// - *The order is the server's*, across all gaps. Rows that the server has removed, moved or failed to encode since
///   its last report don't count, because no answer has reported their current place.
/// - *Rows show their last reported state*, and no row that was shown before is announced as new.
///
/// A client can't know the places of the rows below a gap once the first of them has left its place. The pages with
/// these rows followed from that row, so only its place determined theirs. Such rows are *loose*. All rules hold among
/// them. But they prove nothing about rows beyond the gaps around them, and those rows prove nothing about loose rows.
/// If an answer without a row seems to prove its deletion only by such rows or by the end of the list, the row may be
/// removed, as if no answer had reported it.
public struct TimelineWatch {
  public typealias Row = PagedRow<ModelRow>

  private struct Told {
    var place: Int
    /// Time when the row reached its place.
    var since: Int
    var revision: Int
    var time: Int
  }

  /// The last report of each row.
  private var told: [ModelRow.ID: Told] = [:]
  /// Earlier reports of rows that a later answer had at another place.
  private var formerly: [Told] = []
  /// Reports of malformed rows.
  private var malformed: [Told] = []
  /// Rows of the last answer that were shown before, but hadn't been reported at their current place.
  private var moved: Set<ModelRow.ID> = []
  /// The rows at the last check.
  private var shown: [Row] = []
  /// Loose rows in `shown` when the last answer arrived, with the number of their piece.
  private var loose: [ModelRow.ID: Int] = [:]
  private var answers: [(upper: Int, lower: Int, time: Int)] = []
  /// Places that the first row of a piece has passed when it moved up to the end of an answer.
  private var passed: [(upper: Int, lower: Int)] = []
  private var shownOnce: Set<ModelRow.ID> = []
  /// The user's rows that no answer has contained, with the number of newest pages that arrived without them.
  private var own: [ModelRow.ID: Int] = [:]
  /// Number of newest pages without an own row after which the row may be considered lost.
  private static let pagesForOwn = 3
  public private(set) var faults: [String] = []

  public init() {}

  /// Records an own row that was inserted at the top.
  public mutating func didPost(_ row: ModelRow) {
    own[row.rowID] = 0
  }

  /// Records an answer that the client has merged.
  public mutating func didTake(_ answer: ModelServer.Answer, of server: ModelServer) {
    answers.append((answer.upper, answer.lower, answer.time))
    let places = Self.places(of: server)
    noteLoose(places)
    notePassed(answer, places)
    moved = []
    for item in answer.proper {
      own[item.rowID] = nil
      if !isInPlace(item.rowID, places) {
        if shownOnce.contains(item.rowID) { moved.insert(item.rowID) }
        if let before = told[item.rowID] { formerly.append(before) }
      }
      told[item.rowID] = Told(
        place: places[item.rowID]?.place ?? 0, since: places[item.rowID]?.inPlaceSince ?? 0, revision: item.revision,
        time: answer.time)
    }
    malformed += answer.damaged.map {
      Told(place: $0.place, since: $0.inPlaceSince, revision: $0.row.revision, time: answer.time)
    }
    if answer.isFirst, answer.page.isComplete { own = own.mapValues { $0 + 1 } }
    // A repeated row doesn't reveal its place.
    for item in answer.page.items where told[item.rowID] != nil { told[item.rowID]?.revision = item.revision }
  }

  /// Records a page that the client has discarded. Its newer row states count, its places don't.
  public mutating func didMiss(_ answer: ModelServer.Answer) {
    for item in answer.page.items where told[item.rowID] != nil { told[item.rowID]?.revision = item.revision }
  }

  /// Checks the shown rows after `answer` was merged. The answer begins at row `start` of `before`.
  public mutating func check(
    _ rows: [Row], after answer: ModelServer.Answer? = nil, from start: Int = 0, before: [Row] = [],
    change: ListChange? = nil, of server: ModelServer
  ) {
    let places = Self.places(of: server)
    if let change { check(change, before: before, after: rows) }
    if let answer, answer.page.isComplete { forgetLoose(rows, answer, from: start, before: before, places) }
    checkOrder(rows, places)
    checkPresence(rows, places)
    if let answer { checkUnread(rows, answer, from: start, before: before, places) }
    checkGaps(rows, server, places)
    if let answer, answer.page.isComplete { checkDeleted(rows, answer, from: start, before: before) }
    for row in rows.compactMap(\.item) {
      if let told = told[row.rowID], told.revision != row.revision { fault("\(row.rowID) is out of date", rows) }
    }
    shownOnce.formUnion(rows.compactMap { $0.item?.rowID })
    shown = rows
  }

  private static func places(of server: ModelServer) -> [ModelRow.ID: ModelServer.Placed] {
    Dictionary(server.list.map { ($0.row.rowID, $0) }) { first, _ in first }
  }

  private static func pieces(of rows: [Row]) -> [[ModelRow.ID]] {
    rows.split { $0.cursor != nil }.map { $0.compactMap { $0.item?.rowID } }
  }

  /// Whether a row is still at its reported place, as far as a client can know.
  private func isInPlace(_ id: ModelRow.ID, _ places: [ModelRow.ID: ModelServer.Placed]) -> Bool {
    guard let told = told[id], let placed = places[id] else { return false }
    return told.place == placed.place && told.time >= placed.inPlaceSince && !placed.isLeftOut
  }

  /// Whether a row is at its reported place and well-formed.
  private func isCounted(_ id: ModelRow.ID, _ places: [ModelRow.ID: ModelServer.Placed]) -> Bool {
    isInPlace(id, places) && places[id]?.isDamaged == false
  }

  /// Whether the first row of a piece below a gap has left its place.
  private func isLoose(_ piece: [ModelRow.ID], number: Int, _ places: [ModelRow.ID: ModelServer.Placed]) -> Bool {
    number > 0 && piece.first.map { !isInPlace($0, places) && own[$0] == nil } ?? false
  }

  private mutating func noteLoose(_ places: [ModelRow.ID: ModelServer.Placed]) {
    loose = [:]
    for (number, piece) in Self.pieces(of: shown).enumerated() where isLoose(piece, number: number, places) {
      for id in piece { loose[id] = number }
    }
  }

  private mutating func notePassed(_ answer: ModelServer.Answer, _ places: [ModelRow.ID: ModelServer.Placed]) {
    guard let last = answer.proper.last?.rowID, let before = told[last], !isInPlace(last, places),
      Self.pieces(of: shown).contains(where: { $0.first { own[$0] == nil } == last })
    else { return }
    passed.append((places[last]?.place ?? 0, before.place))
  }

  /// Whether answers have determined the order of two shown rows.
  private func isOrderKnown(_ one: ModelRow.ID, _ other: ModelRow.ID) -> Bool { loose[one] == loose[other] }

  /// Forgets rows whose deletion is proven only by rows in unknown order.
  private mutating func forgetLoose(
    _ rows: [Row], _ answer: ModelServer.Answer, from start: Int, before: [Row],
    _ places: [ModelRow.ID: ModelServer.Placed]
  ) {
    let shown = Set(rows.compactMap { $0.item?.rowID })
    let brought = Set(answer.page.items.map(\.rowID))
    let known = before.indices.filter { $0 >= start && before[$0].item.map { brought.contains($0.rowID) } ?? false }
    let above = before[..<start].last { $0.item != nil }?.item?.rowID
    let isLast = answer.page.older == nil
    for index in start..<(isLast ? before.count : known.last ?? start) {
      guard let id = before[index].item?.rowID, !shown.contains(id), !brought.contains(id) else { continue }
      let proof = known.filter { before[$0].item.map { isOrderKnown($0.rowID, id) } ?? false }
      let isProvenFromAbove =
        answer.isFirst || above.map { isInPlace($0, places) && isOrderKnown($0, id) } ?? false
        || proof.contains { $0 < index }
      if !isProvenFromAbove || !(isLast || proof.contains { $0 > index }) { told[id] = nil }
    }
  }

  private mutating func check(_ change: ListChange, before: [Row], after: [Row]) {
    var list = before
    for index in change.removed.sorted(by: >) { list.remove(at: index) }
    for range in change.inserted { list.insert(contentsOf: after[range], at: range.lowerBound) }
    for index in change.changed { list[index] = after[index] }
    if list != after { fault("the change does not lead from \(Self.words(before))", after) }
    for index in change.new {
      if let id = after[index].item?.rowID, shownOnce.contains(id) { fault("\(id) is announced again", after) }
    }
  }

  private mutating func checkOrder(_ rows: [Row], _ places: [ModelRow.ID: ModelServer.Placed]) {
    var last = Int.max
    var seen: Set<ModelRow.ID> = []
    for (number, ids) in Self.pieces(of: rows).enumerated() {
      let isLoose = isLoose(ids, number: number, places)
      var lastHere = isLoose ? Int.max : last
      for id in ids {
        if !seen.insert(id).inserted { fault("\(id) stands twice", rows) }
        guard own[id] == nil, isCounted(id, places), let place = told[id]?.place else { continue }
        if place > lastHere { fault("\(id) is out of order", rows) }
        lastHere = place
      }
      if !isLoose { last = lastHere }
    }
  }

  private mutating func checkPresence(_ rows: [Row], _ places: [ModelRow.ID: ModelServer.Placed]) {
    let shown = Set(rows.compactMap { $0.item?.rowID })
    for (id, told) in told where isInPlace(id, places) && !shown.contains(id) {
      guard let placed = places[id], placed.since <= told.time, !placed.isDamaged else { continue }
      fault("\(id) has vanished", rows)
    }
    for (id, pages) in own where pages < Self.pagesForOwn && !shown.contains(id) {
      fault("my \(id) has vanished", rows)
    }
  }

  private mutating func checkUnread(
    _ rows: [Row], _ answer: ModelServer.Answer, from start: Int, before: [Row],
    _ places: [ModelRow.ID: ModelServer.Placed]
  ) {
    let shown = Set(rows.compactMap { $0.item?.rowID })
    let proper = Set(answer.proper.map(\.rowID)).subtracting(moved).subtracting(loose.keys)
    for index in before.indices.dropFirst().dropLast() where index > start {
      guard let id = before[index].item?.rowID, isInPlace(id, places), places[id]?.isDamaged == true,
        let above = before[index - 1].item?.rowID, let below = before[index + 1].item?.rowID
      else { continue }
      if proper.contains(above), proper.contains(below), !shown.contains(id) {
        fault("\(id) has vanished, which could not be read", rows)
      }
    }
  }

  private mutating func checkGaps(
    _ rows: [Row], _ server: ModelServer, _ places: [ModelRow.ID: ModelServer.Placed]
  ) {
    let shown = Set(rows.compactMap { $0.item?.rowID })
    let missing = server.list.filter {
      !shown.contains($0.row.rowID) && told[$0.row.rowID] == nil && !$0.isLeftOut
        && !$0.isDamaged && own[$0.row.rowID] == nil
    }
    guard !missing.isEmpty else { return }
    for piece in Self.pieces(of: rows) {
      // The gaps around a piece extend to its first and last row with a known place.
      guard let first = piece.firstIndex(where: { isCounted($0, places) }),
        let last = piece.lastIndex(where: { isCounted($0, places) })
      else { continue }
      let ends = piece[first...last].compactMap { told[$0]?.place }
      guard let upper = ends.max(), let lower = ends.min() else { continue }
      // A row that has moved away also links the rows above it to the rows below it.
      let left = formerly.filter { $0.place > lower && $0.place < upper }
      let known = (piece[first...last].compactMap { told[$0] } + left).sorted { $0.place > $1.place }
      let links = malformed.filter { $0.place > lower && $0.place < upper }
      let linked = links.isEmpty ? known : (known + links).sorted { $0.place > $1.place }
      for placed in missing where needsGap(placed, known) && needsGap(placed, linked) {
        if passed.contains(where: { placed.place < $0.upper && placed.place > $0.lower }) { continue }
        fault("\(placed.row.rowID) is missing without a gap", rows)
      }
    }
  }

  /// Whether a missing row is between two of the `known` rows, newest first, without an answer that covered its place
  /// since both reached theirs.
  private func needsGap(_ placed: ModelServer.Placed, _ known: [Told]) -> Bool {
    guard let below = known.firstIndex(where: { $0.place < placed.place }), below > 0 else { return false }
    let since = max(known[below].since, known[below - 1].since)
    return !answers.contains { placed.place < $0.upper && placed.place >= $0.lower && $0.time >= since }
  }

  private mutating func checkDeleted(_ rows: [Row], _ answer: ModelServer.Answer, from start: Int, before: [Row]) {
    let shown = Set(rows.compactMap { $0.item?.rowID })
    let brought = Set(answer.page.items.map(\.rowID))
    let proper = Set(answer.proper.map(\.rowID)).subtracting(moved)
    let known = before.indices.filter { $0 >= start && before[$0].item.map { proper.contains($0.rowID) } ?? false }
    guard let first = known.first, let last = known.last else { return }
    let gone = ((answer.isFirst ? 0 : first)..<last).filter { index in
      before[index].item.map { !brought.contains($0.rowID) && own[$0.rowID] == nil } ?? false
    }
    for index in gone {
      guard let id = before[index].item?.rowID, shown.contains(id) else { continue }
      let proof = known.filter { before[$0].item.map { isOrderKnown($0.rowID, id) } ?? false }
      let below = proof.count { $0 > index }
      guard below > 0, answer.isFirst || proof.contains(where: { $0 < index }) else { continue }
      if gone.count < 3 * below, below > 1 { fault("\(id) is still there", rows) }
      // A few known rows around many deleted ones may have moved.
      guard let place = rows.firstIndex(where: { $0.item?.rowID == id }),
        let end = rows[..<place].lastIndex(where: { $0.item.map { brought.contains($0.rowID) } ?? false })
      else { continue }
      if !rows[end..<place].contains(where: { $0.cursor != nil }) { fault("\(id) follows what it cannot", rows) }
    }
  }

  /// Whether a row is the user's and no answer has contained it.
  public func isOwn(_ row: ModelRow.ID) -> Bool { own[row] != nil }

  /// Records a fault.
  public mutating func fault(_ what: String, _ rows: [Row] = []) {
    faults.append("\(what) in \(Self.words(rows))")
  }

  public static func words(_ rows: [Row]) -> String {
    rows.map { row in
      row.item.map { "\($0.rowID.number)\($0.rowID.isBoost ? "b" : "")" } ?? "gap"
    }.joined(separator: " ")
  }
}
