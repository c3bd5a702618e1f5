public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The read positions of the account's lists. A mark moves only towards newer rows: when the user reads here, in
/// another program with the same account, or in another client that syncs through the server. Marks survive restarts
/// and deletion of the cache.
@MainActor
public final class ReadPositions {
  /// Delay between a mark's move and its save.
  private static let saveDelay = Duration.milliseconds(500)

  let connection: AccountConnection
  let timelines: Timelines
  private let store: OutgoingStore?
  private var marks: [ReadList: ReadMark] = [:]
  /// Lists whose mark was loaded from a file or adopted from the server, rather than set by the reader here. Such a
  /// mark may lack skipped rows. If the saved mark is at the same row when the mark is saved, the saved skipped rows
  /// are retained.
  private var adopted: Set<ReadList> = []
  /// Lists whose mark hasn't been saved yet.
  private var unsaved: Set<ReadList> = []
  private var saveTimer: ProgramTimer?
  private var isStarted = false
  /// Whether the saved marks have been loaded.
  private(set) var isLoaded: Bool
  /// Returns the notifications, which determine the order of marks in ``isMark(_:above:in:)``.
  var notifications: (@MainActor () -> PagedRows<AccountNotification>?)?
  private(set) lazy var markers = ServerMarkers(self)

  init(_ connection: AccountConnection, timelines: Timelines, store: OutgoingStore?) {
    self.connection = connection
    self.timelines = timelines
    self.store = store
    isLoaded = store == nil
  }

  /// Returns the read position in a list, if known.
  public func mark(in list: ReadList) -> ReadMark? { marks[list] }

  /// Whether the saved marks are loaded and the first request for the server's markers has finished, even if it failed.
  public var isKnown: Bool { isLoaded && markers.wasAsked }

  /// Loads the saved marks and fetches the server's markers.
  public func start() {
    guard !isStarted else { return }
    isStarted = true
    load()
    markers.pull()
  }

  /// Fetches the server's markers if a list has unread rows, the first fetch hasn't finished, or a local position
  /// hasn't been sent. Otherwise the markers couldn't change anything.
  func refresh() {
    guard isStarted else { return start() }
    let isBehind = [ReadList.timeline(.home), .notifications].contains { hasUnread(in: $0) }
    if isBehind || !isKnown || markers.hasUntold { markers.pull() }
  }

  private func load() {
    guard let store else { return }
    store.readMarks { [weak self] found in
      guard let self else { return }
      isLoaded = true
      for (list, mark) in found { take(mark, in: list) }
      tell(.notifications)
      markers.positionsDidLoad()
    }
  }

  // MARK: Moving

  /// Records that the user has read a list up to `mark`, except for its skipped rows. If the former mark is at the same
  /// row, only the skipped rows change. Does nothing if `mark` is below the former mark. If their order is unknown,
  /// `mark` replaces the former mark.
  public func read(_ list: ReadList, upTo mark: ReadMark) {
    guard let own = marks[list], isMark(mark, above: own, in: list) == false else {
      set(mark, in: list, isAdopted: false)
      if let place = list.place { markers.noteRead(place) }
      return
    }
    guard mark.isSameRow(as: own), mark.skipped != own.skipped else { return }
    var changed = own
    changed.skipped = mark.skipped
    set(changed, in: list, isAdopted: false)
  }

  /// Adopts a mark from elsewhere if it is above the known one.
  func take(_ mark: ReadMark, in list: ReadList) {
    let mark = located(mark, in: list)
    if let own = marks[list], isMark(mark, above: own, in: list) != true { return }
    set(mark, in: list, isAdopted: true)
  }

  private func set(_ mark: ReadMark, in list: ReadList, isAdopted: Bool) {
    marks[list] = mark
    adopted.set(list, isAdopted)
    unsaved.insert(list)
    if saveTimer == nil {
      saveTimer = connection.clock.schedule(after: Self.saveDelay) { [weak self] in self?.save() }
    }
    tell(list)
  }

  private func tell(_ list: ReadList) {
    connection.observers.forEach { $0.readPositions(self, didChangeIn: list) }
  }

  // MARK: Order

  /// Whether a mark is above another one, or nil if unknown. Uses the order of the list. For rows that the list doesn't
  /// have, compares ids and times.
  func isMark(_ mark: ReadMark, above other: ReadMark, in list: ReadList) -> Bool? {
    switch list {
    case .timeline(let name):
      timelines.isLoaded(name) ? timelines.timeline(name).isMark(mark, above: other) : mark.isNewer(than: other)
    case .notifications: notifications?()?.isMark(mark, above: other) ?? mark.isNewer(than: other)
    }
  }

  private func located(_ mark: ReadMark, in list: ReadList) -> ReadMark {
    switch list {
    case .timeline(let name): timelines.isLoaded(name) ? timelines.timeline(name).located(mark) : mark
    case .notifications: notifications?()?.located(mark) ?? mark
    }
  }

  private func hasUnread(in list: ReadList) -> Bool {
    guard let mark = marks[list] else { return true }
    switch list {
    case .timeline(let name): return timelines.isLoaded(name) && timelines.timeline(name).firstRead(by: mark) != 0
    case .notifications: return notifications?()?.firstRead(by: mark) != 0
    }
  }

  // MARK: Saving

  func save() {
    saveTimer = nil
    guard let store else { return unsaved = [] }
    let marks = marks.filter { unsaved.contains($0.key) }
    unsaved = []
    guard !marks.isEmpty else { return }
    store.keep(marks, adopted: adopted) { [weak self] isKept in
      // Saving is retried when a mark moves, and by `flush()`.
      if !isKept { self?.unsaved.formUnion(marks.keys) }
    }
  }

  /// Saves the marks and sends them to the server, without waiting. Call this before the program exits or is suspended,
  /// then flush the store.
  public func flush() {
    save()
    markers.push()
  }
}

extension ReadPositions: AccountObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    if name == .home, !change.inserted.isEmpty { markers.rowsDidChange(.home) }
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    for (list, mark) in marks where list != .notifications && mark.skipped.contains(where: { $0.rowID.status == id }) {
      var left = mark
      left.skipped.removeAll { $0.rowID.status == id }
      set(left, in: list, isAdopted: false)
    }
  }

  public func notificationFeedDidChange(_ feed: NotificationFeed) { markers.rowsDidChange(.notifications) }
}

@MainActor
public protocol ReadPositionsObserver: AnyObject {
  /// Called when a list's reading position changed or became known.
  func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList)
}

extension ReadPositionsObserver {
  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {}
}
