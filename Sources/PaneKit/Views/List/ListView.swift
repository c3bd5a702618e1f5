public import Terminal

/// A list of items of any height. Only cells near the visible items are created. One item is selected. The selected
/// item and the top item stay in place when items are inserted or deleted elsewhere.
@MainActor
public final class ListView: View {
  private struct MeasuredCell {
    let cell: any ListCell
    let rows: Int
  }

  public weak var dataSource: (any ListViewDataSource)?
  public weak var delegate: (any ListViewDelegate)?

  /// Shown below the last item, such as a note that more items are being loaded.
  public var footer: (any ListCell)? {
    didSet {
      setNeedsDisplay()
      if wantedTop != nil { settle() }
    }
  }

  /// Shown while the list has no items.
  public var placeholder: (any ListCell)? {
    didSet { if count == 0 { setNeedsDisplay() } }
  }

  /// Whether linear form (output on terminals that only append text) includes items that are appended to the list while
  /// another responder has the focus.
  public var tellsNewItems = false
  /// Items tracked by other objects.
  private var marks: [WeakMark] = []

  private struct WeakMark {
    weak var mark: ListMark?
  }

  /// The deletions and insertions since ``beginUpdates()``.
  var batch = Batch()

  public private(set) var selectedIndex: Int?
  public private(set) var count = 0

  var viewport = ListViewport()
  /// The position to scroll to once the list has a size and enough items below.
  var wantedTop: WantedTop?
  /// Whether the next ``updateProperties()`` moves the selection to a visible item. Until then, layout doesn't scroll
  /// to the selected item.
  var mustFollowView = false
  private var cells: [Int: MeasuredCell] = [:]
  private var measuredColumns = -1
  private var measuredForm = TextForm.unicode
  private var shownRange = 0..<0

  override public init() {
    super.init()
    acceptsFirstResponder = true
  }

  override public func mouseDown(with event: MouseEvent) -> Bool {
    click(event.point)
    return true
  }

  override public func scrollWheel(with event: MouseEvent) -> Bool {
    scroll(byWheel: event)
    return true
  }

  /// The first visible item.
  public var topIndex: Int { viewport.topIndex }

  /// Whether the list is scrolled to its beginning.
  public var isAtTop: Bool { viewport == ListViewport() }

  /// Whether the last item is visible to its end.
  public var isAtEnd: Bool {
    guard let last = placements.last else { return true }
    return last.index == count - 1 && last.row + last.rows <= frame.size.rows
  }

  /// Returns a mark that tracks an item until the mark is released.
  func mark(at index: Int) -> ListMark {
    let mark = ListMark(index)
    marks.removeAll { $0.mark == nil }
    marks.append(WeakMark(mark: mark))
    return mark
  }

  // MARK: Changes

  /// Reloads all items from the data source. The selection keeps its index, or moves to the last item if the list has
  /// become shorter. If no item was selected, selects the first.
  public func reloadData() {
    count = dataSource?.numberOfItems(in: self) ?? 0
    cells = [:]
    select(count == 0 ? nil : min(selectedIndex ?? 0, count - 1), reveals: false)
    invalidateIntrinsicSize()
    settle()
  }

  func apply(_ batch: Batch) {
    let inserted = batch.inserted.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    guard !batch.deleted.isEmpty || !inserted.isEmpty else { return }
    let expected = count - batch.deleted.count + inserted.reduce(0) { $0 + $1.count }
    let actual = dataSource?.numberOfItems(in: self) ?? expected
    guard actual == expected, batch.deleted.allSatisfy((0..<count).contains) else {
      ProgrammingError.report("a list would have \(expected) items after its change; its data source has \(actual)")
      return reloadData()
    }
    let selectionWent = selectedIndex.map { batch.deleted.contains($0) } ?? false
    let follows = batch.followsTop && isAtTop
    let row = selectionWent || follows ? nil : rowOfSelection
    for index in batch.deleted.sorted(by: >) { drop(index) }
    for range in inserted { insert(range, followsTop: follows) }
    if let row { returnSelection(to: row) }
    // Wait until now to request cells: before, the list's indices didn't match the data source's.
    invalidateIntrinsicSize()
    settle()
    if selectionWent { delegate?.listView(self, didSelectItemAt: selectedIndex) }
  }

  /// Scrolls so that the selected item begins in `row` of the view again.
  private func returnSelection(to row: Int) {
    guard let selectedIndex, !frame.isEmpty, case let moved = self.row(ofItemAt: selectedIndex), moved != row else {
      return
    }
    viewport.scroll(by: moved - row, rows: frame.size.rows, count: count, tail: tailRows, height: height(of:))
    setNeedsDisplay()
  }

  /// The row of the view in which the selected item begins; nil if it isn't visible or an item above it isn't measured.
  /// Requests no cells, because the data source may have changed already.
  private var rowOfSelection: Int? {
    guard let selectedIndex, selectedIndex >= viewport.topIndex, measuredColumns == frame.size.columns else {
      return nil
    }
    var row = -viewport.hiddenRows
    for index in viewport.topIndex..<selectedIndex {
      guard let rows = cells[index]?.rows, row < frame.size.rows else { return nil }
      row += rows
    }
    return row < frame.size.rows ? row : nil
  }

  /// Returns the row in which an item begins, relative to the view. It is outside the view if the item isn't visible.
  private func row(ofItemAt index: Int) -> Int {
    guard index >= viewport.topIndex else {
      return -viewport.hiddenRows - (index..<viewport.topIndex).reduce(0) { $0 + height(of: $1) }
    }
    return -viewport.hiddenRows + (viewport.topIndex..<index).reduce(0) { $0 + height(of: $1) }
  }

  private func insert(_ range: Range<Int>, followsTop: Bool) {
    guard !range.isEmpty else { return }
    let stays = !followsTop
    count += range.count
    for entry in marks { entry.mark?.shift(forInserted: range) }
    cells = shifted { $0 >= range.lowerBound ? $0 + range.count : $0 }
    if let selected = selectedIndex, selected >= range.lowerBound {
      selectedIndex = selected + range.count
    } else if selectedIndex == nil {
      selectedIndex = 0
    }
    if stays, range.lowerBound <= viewport.topIndex, count > range.count { viewport.topIndex += range.count }
  }

  private func drop(_ index: Int) {
    count -= 1
    for entry in marks { entry.mark?.shift(forDropped: index) }
    cells[index] = nil
    cells = shifted { $0 > index ? $0 - 1 : $0 }
    if index < viewport.topIndex {
      viewport.topIndex -= 1
    } else if index == viewport.topIndex {
      viewport.hiddenRows = 0
    }
    if let selected = selectedIndex, index < selected || selected >= count {
      selectedIndex = count == 0 ? nil : max(0, selected - 1)
    }
  }

  /// Discards all cells. Call this after a change that affects the appearance of every item.
  public func reloadCells() {
    cells = [:]
    invalidateIntrinsicSize()
    settle()
  }

  /// Discards the cells of items whose appearance changed. If `keepsPlace` is true, the selected item stays in its row
  /// even if heights change.
  public func reloadItems(at indices: some Sequence<Int>, keepsPlace: Bool = false) {
    let row = keepsPlace ? rowOfSelection : nil
    for index in indices {
      guard let old = cells.removeValue(forKey: index) else { continue }
      guard let placement = placements.first(where: { $0.index == index }) else { continue }
      if placement.rows == old.rows {
        setNeedsDisplay(rows: placement.row..<(placement.row + placement.rows))
      } else {
        setNeedsDisplay()
      }
    }
    invalidateIntrinsicSize()
    if let row { returnSelection(to: row) }
    settle(redraws: false)
  }

  // MARK: Selecting

  /// Selects the item at `index`, or the nearest one if no item has this index, and scrolls to it if `reveals` is true.
  /// If `index` is nil, selects no item.
  public func select(_ index: Int?, reveals: Bool = true) {
    if reveals { wantedTop = nil }
    let old = selectedIndex
    selectedIndex = index.flatMap { count == 0 ? nil : min(max(0, $0), count - 1) }
    if reveals, let selectedIndex { reveal(selectedIndex) }
    guard selectedIndex != old else { return }
    redrawSelection(old)
    redrawSelection(selectedIndex)
    delegate?.listView(self, didSelectItemAt: selectedIndex)
    if window?.isLinear == true { noteShownItems() }
  }

  // MARK: Drawing

  override public func updateProperties() {
    followView()
    noteShownItems()
  }

  override public func layoutSubviews() {
    settle()
    guard !mustFollowView else { return }
    if let selectedIndex, !isBeingRead(selectedIndex) { reveal(selectedIndex) }
  }

  /// Whether an item is visible and taller than the view. Layout doesn't scroll to such an item, because the user may
  /// be reading any part of it.
  private func isBeingRead(_ index: Int) -> Bool {
    placements.contains { $0.index == index && $0.rows > frame.size.rows }
  }

  override public func draw(in canvas: Canvas) {
    guard count > 0 else {
      placeholder?.draw(in: canvas, selection: .none)
      return
    }
    let selected: ListSelection = window?.effectiveFirstResponder === self ? .active : .resting
    var end = 0
    for place in placements {
      end = place.row + place.rows
      let rows = max(0, place.row)..<end
      guard rows.overlaps(canvas.visibleRows), let cell = cells[place.index]?.cell else { continue }
      let part = canvas.part(Rect(row: place.row, column: 0, rows: place.rows, columns: canvas.size.columns))
      cell.draw(in: part, selection: place.index == selectedIndex ? selected : .none)
    }
    if let footer, end < canvas.size.rows, placements.last?.index == count - 1 {
      let rows = footer.rows(forColumns: canvas.size.columns)
      footer.draw(
        in: canvas.part(Rect(row: end, column: 0, rows: rows, columns: canvas.size.columns)), selection: .none)
    }
  }

  /// The number of rows of all items, limited to the rows of `room`. An empty list fills `room`.
  override public func intrinsicSize(in room: Size) -> Size {
    var rows = count == 0 ? room.rows : 0
    for index in 0..<count where rows < room.rows { rows += cell(at: index)?.rows(forColumns: room.columns) ?? 1 }
    return Size(rows: min(rows, room.rows), columns: room.columns)
  }

  /// Returns the item in a row of the view.
  func index(atRow row: Int) -> Int? {
    placements.first { ($0.row..<($0.row + $0.rows)).contains(row) }?.index
  }

  override public var linearTexts: [LinearText] { textsInPlaceOfItems }

  // MARK: Measuring

  var tailRows: Int { footer.map(rows(of:)) ?? 0 }

  var placements: [ListViewport.Placement] {
    viewport.placements(rows: frame.size.rows, count: count, height: height(of:))
  }

  /// Returns an item's cell, visible or not.
  func cell(at index: Int) -> (any ListCell)? {
    guard (0..<count).contains(index) else { return nil }
    return cells[index]?.cell ?? dataSource?.listView(self, cellForItemAt: index)
  }

  func height(of index: Int) -> Int {
    if let measured = cells[index] { return measured.rows }
    guard let cell = dataSource?.listView(self, cellForItemAt: index) else { return 1 }
    let measured = MeasuredCell(cell: cell, rows: max(1, rows(of: cell)))
    cells[index] = measured
    return measured.rows
  }

  /// Returns a cell's height. Applies the window's text form, because items can be measured while no frame is being
  /// drawn.
  private func rows(of cell: any ListCell) -> Int {
    let columns = frame.size.columns
    return window?.measuring { cell.rows(forColumns: columns) } ?? cell.rows(forColumns: columns)
  }

  private func shifted(_ newIndex: (Int) -> Int) -> [Int: MeasuredCell] {
    Dictionary(uniqueKeysWithValues: cells.map { (newIndex($0.key), $0.value) })
  }

  func reveal(_ index: Int) {
    guard !frame.isEmpty else { return }
    move { $0.reveal(index, rows: frame.size.rows, count: count, tail: tailRows, height: height(of:)) }
  }

  func move(_ change: (inout ListViewport) -> Void) {
    guard !frame.isEmpty else { return }
    measureAnew()
    var moved = viewport
    change(&moved)
    guard moved != viewport else { return }
    viewport = moved
    setNeedsDisplay()
    noteShownItems()
  }

  /// Discards cells that were measured for another width or text form. Without a window, the text form is assumed
  /// unchanged.
  func measureAnew() {
    let form = window?.textForm ?? measuredForm
    guard measuredColumns != frame.size.columns || measuredForm != form else { return }
    (measuredColumns, measuredForm) = (frame.size.columns, form)
    cells = [:]
    setNeedsDisplay()
  }

  /// Performs the pending scroll to ``wantedTop``, if any. Otherwise corrects the viewport after items or the size
  /// changed, so that it isn't beyond the end of the list.
  func settle(redraws: Bool = true) {
    guard !frame.isEmpty else { return }
    measureAnew()
    let before = viewport
    if takeWantedTop() { return }
    viewport.scroll(by: 0, rows: frame.size.rows, count: count, tail: tailRows, height: height(of:))
    if redraws || viewport != before { setNeedsDisplay() }
    noteShownItems()
  }

  /// Notifies the delegate of the visible items if they have changed. Also does so if too many cells are cached, and
  /// discards the cells far from the visible items. During layout, all this is deferred until layout has finished.
  func noteShownItems() {
    guard window?.isLayingOut != true else { return setNeedsUpdateProperties() }
    guard !frame.isEmpty, let range = shownItems, range != shownRange || cells.count > 4 * range.count + 64
    else { return }
    shownRange = range
    let retained = (range.lowerBound - 2 * range.count)..<(range.upperBound + 2 * range.count)
    if cells.count > 4 * range.count + 64 { cells = cells.filter { retained.contains($0.key) } }
    delegate?.listView(self, didShowItemsIn: range)
  }

  /// The items that are at least partly visible, or in linear form, only the selected item. Nil if no item qualifies.
  public var shownItems: Range<Int>? {
    // In linear form, only the selected item is announced.
    if window?.isLinear == true { return selectedIndex.map { $0..<($0 + 1) } }
    let places = placements
    guard let first = places.first?.index, let last = places.last?.index else { return nil }
    return first..<(last + 1)
  }

  /// The items that the user has seen to the end, if any. The last row of each is visible, and if the item begins above
  /// the view, at least one more row. In linear form, only the selected item.
  public var itemsSeen: Range<Int>? {
    if window?.isLinear == true { return selectedIndex.map { $0..<($0 + 1) } }
    let seen = placements.filter { place in
      let end = place.row + place.rows
      return end <= frame.size.rows && (place.row >= 0 || end > 1)
    }
    guard let first = seen.first?.index, let last = seen.last?.index else { return nil }
    return first..<(last + 1)
  }

  private func redrawSelection(_ index: Int?) {
    guard let place = placements.first(where: { $0.index == index }) else { return }
    setNeedsDisplay(rows: place.row..<(place.row + place.rows))
  }
}
