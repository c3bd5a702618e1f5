public import QwinkleModel
import TerminalTesting

/// A row of the model server's list.
public struct ModelRow: PagedElement {
  /// A boost can have the id of its original.
  public struct ID: Hashable, Sendable {
    public var number: Int
    public var isBoost: Bool
  }

  public var rowID: ID
  /// Number of edits.
  public var revision = 0

  public init(rowID: ID, revision: Int = 0) {
    self.rowID = rowID
    self.revision = revision
  }
}

/// A server with one list, newest first, into which rows can be inserted anywhere. Pages are ordered by place, as real
/// servers order them by date, and report the places that they cover.
public struct ModelServer: Sendable {
  /// A row with its place in the list.
  struct Placed {
    var row: ModelRow
    /// Rows with a greater place are newer.
    var place: Int
    /// Time when the row reached its place, or was last shown or hidden there.
    var since: Int
    /// Time when the row reached its place or returned to it.
    var inPlaceSince: Int
    /// Whether the row is left out of pages.
    var isLeftOut = false
    /// Whether the row is sent malformed.
    var isDamaged = false
  }

  /// A page and the range of places that it covers.
  public struct Answer {
    public var page: Page<ModelRow>
    /// The covered places: below `upper`, down to `lower`.
    var upper: Int
    var lower: Int
    var time: Int
    /// The items that belong in these places.
    var proper: [ModelRow]
    /// The malformed rows in these places.
    var damaged: [Placed]
    var isFirst: Bool
  }

  /// Newest first.
  var list: [Placed] = []
  var time = 0
  private var nextNumber = 1
  private var random: SplitMix

  /// Distance between the places of two successive rows.
  private static let step = 1 << 20

  /// Creates a server with `count` rows.
  public init(count: Int, seed: UInt64) {
    random = SplitMix(seed: seed)
    for _ in 0..<count { add() }
  }

  // MARK: Events

  /// Inserts a new row at the top. A boost may have the id of its original.
  public mutating func add() {
    let boosted = Int.random(in: 0..<8, using: &random) == 0 ? list.randomElement(using: &random)?.row.rowID : nil
    if let boosted, !boosted.isBoost,
      !list.contains(where: { $0.row.rowID == .init(number: boosted.number, isBoost: true) })
    {
      return insert(newRow(.init(number: boosted.number, isBoost: true)), at: top)
    }
    nextNumber += 1
    insert(newRow(.init(number: nextNumber, isBoost: false)), at: top)
  }

  /// Inserts a row among the newest `depth` ones, like a qwink that arrives late.
  public mutating func addLate(depth: Int) {
    guard list.count > 1 else { return add() }
    let index = Int.random(in: 1...max(1, min(depth, list.count)), using: &random)
    let upper = list[index - 1].place
    let lower = index < list.count ? list[index].place : upper - 2 * Self.step
    guard upper - lower > 1 else { return }
    nextNumber += 1
    insert(newRow(.init(number: nextNumber, isBoost: false)), at: Int.random(in: (lower + 1)..<upper, using: &random))
  }

  public mutating func delete() {
    guard let index = list.indices.randomElement(using: &random) else { return }
    time += 1
    list.remove(at: index)
  }

  /// Deletes a row among the newest `depth`.
  public mutating func delete(depth: Int) {
    guard let index = list.indices.prefix(depth).randomElement(using: &random) else { return }
    time += 1
    list.remove(at: index)
  }

  /// Deletes a row and its boosts.
  public mutating func remove(_ number: Int) {
    time += 1
    list.removeAll { $0.row.rowID.number == number }
  }

  public mutating func edit() {
    guard let index = list.indices.randomElement(using: &random) else { return }
    list[index].row.revision += 1
  }

  /// Moves a row to the top, as boosting or bookmarking it again does.
  public mutating func moveToTop() {
    guard let index = list.indices.randomElement(using: &random) else { return }
    let row = list.remove(at: index)
    insert(row.row, at: top)
  }

  /// Hides or shows a row, either with a server filter or by making it malformed.
  public mutating func toggleFilter() {
    guard let index = list.indices.randomElement(using: &random) else { return }
    time += 1
    if Bool.random(using: &random) {
      list[index].isLeftOut.toggle()
      list[index].inPlaceSince = time
    } else {
      list[index].isDamaged.toggle()
      // A row that becomes malformed stays in its known place.
      if list[index].isDamaged { return }
    }
    list[index].since = time
  }

  /// Posts a row and returns it as the author receives it.
  public mutating func post() -> ModelRow {
    nextNumber += 1
    let row = ModelRow(rowID: .init(number: nextNumber, isBoost: false))
    insert(row, at: top)
    return row
  }

  // MARK: Pages

  /// Returns a page from the top, or from the cursor of an earlier page.
  public mutating func answer(
    from cursor: PageCursor? = nil, size: Int, isRepeating: Bool = false
  ) -> Answer {
    time += 1
    let upper = cursor.flatMap { Int($0.url) } ?? aboveTop
    let raw = Array(list.filter { $0.place < upper }.prefix(size))
    let isLast = raw.last?.place == list.last?.place
    let lower = isLast ? Int.min : raw.last?.place ?? Int.min
    var answer = page(of: raw, upper: upper, lower: lower)
    answer.isFirst = cursor == nil
    if !isLast { answer.page.older = PageCursor(url: String(lower)) }
    if isRepeating, cursor != nil, answer.page.damagedCount == 0, let earlier = list.last(where: { $0.place >= upper }),
      !earlier.isLeftOut, !earlier.isDamaged
    {
      // Like GoToSocial, repeat a row of the previous page, anywhere.
      let place = Int.random(in: 0...answer.page.items.count, using: &random)
      answer.page.items.insert(earlier.row, at: place)
    }
    return answer
  }

  /// Returns the page right above a row, as `min_id` does.
  public mutating func answer(above row: ModelRow.ID, size: Int) -> Answer? {
    guard let place = place(of: row) else { return nil }
    time += 1
    let raw = Array(list.filter { $0.place > place }.suffix(size))
    return page(of: raw, upper: (raw.first?.place ?? place) + 1, lower: place)
  }

  func place(of row: ModelRow.ID) -> Int? { list.first { $0.row.rowID == row }?.place }

  // MARK: Helpers

  private var top: Int { (list.first?.place ?? 0) + Self.step }

  /// A place just above the topmost row.
  private var aboveTop: Int { (list.first?.place ?? 0) + 1 }

  private func newRow(_ id: ModelRow.ID) -> ModelRow { ModelRow(rowID: id) }

  private mutating func insert(_ row: ModelRow, at place: Int) {
    time += 1
    let index = list.firstIndex { $0.place < place } ?? list.count
    list.insert(Placed(row: row, place: place, since: time, inPlaceSince: time), at: index)
  }

  private func page(of raw: [Placed], upper: Int, lower: Int) -> Answer {
    var page = Page<ModelRow>(items: [])
    page.damagedPlaces = []
    let damaged = raw.filter { $0.isDamaged && !$0.isLeftOut }
    for placed in raw where !placed.isLeftOut {
      if placed.isDamaged {
        page.damagedCount += 1
        page.damagedPlaces?.insert(page.items.count)
      } else {
        page.items.append(placed.row)
      }
    }
    return Answer(
      page: page, upper: upper, lower: lower, time: time, proper: page.items, damaged: damaged, isFirst: false)
  }
}
