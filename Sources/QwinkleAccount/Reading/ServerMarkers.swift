import FoundationEssentials
import QwinkleModel
import QwinkleService
import Timekeeping

/// The markers that the server keeps for all of the user's clients: how far home and notifications were read. They are
/// fetched together, and told a while after the reader has moved. A marker is never moved back.
@MainActor
final class ServerMarkers {
  /// The wait after a move, and the longest one while the reader goes on.
  private static let pushDelay = Duration.seconds(5)
  private static let longestPushDelay = Duration.seconds(30)
  /// What was fetched no longer ago is good enough to move a marker, in seconds.
  private static let freshness: TimeInterval = 20
  /// How often in a row a move is tried while the server says that another client was faster.
  private static let mostConflicts = 3
  /// How often in a run the same position is told, if the server has an older one again.
  private static let mostTimesTold = 3

  private unowned let positions: ReadPositions
  /// What the server has, as far as it said.
  private var known: [ReadPosition.Place: ReadPosition] = [:]
  /// Whether the server has answered, or failed to.
  private(set) var wasAsked = false
  private var pulledAt: Date?
  private var isPulling = false
  private var isPushing = false
  private var conflictCount = 0
  /// What was told last, and how often.
  private var told: [ReadPosition.Place: (id: String, count: Int)] = [:]
  /// Whether the server keeps no markers. It isn't asked any more in this run.
  private var isUnsupported = false
  /// The lists that were read further in this run than the server knows.
  private var moved: Set<ReadPosition.Place> = []
  private var pushTimer: ProgramTimer?
  private var firstMoveAt: Date?

  init(_ positions: ReadPositions) {
    self.positions = positions
  }

  private var connection: AccountConnection { positions.connection }
  private var isUsable: Bool { connection.isSignedIn && !isUnsupported }

  /// Whether the server doesn't know how far the reader was here.
  var hasUntold: Bool { isUsable && ReadPosition.Place.allCases.contains(where: needsPush) }

  // MARK: Fetching

  /// Fetches the markers.
  func pull() {
    guard isUsable, !isPulling else { return }
    isPulling = true
    connection.ask(.readPositions.prioritized(.background)) { [weak self] result in
      guard let self else { return }
      isPulling = false
      switch result {
      case .success(let markers):
        pulledAt = connection.clock.now
        markers.forEach(take)
      case .failure(let error): note(error)
      }
      if !wasAsked {
        wasAsked = true
        connection.observers.forEach { $0.readPositions(self.positions, didChangeIn: .notifications) }
      }
      if pulledAt == connection.clock.now, hasUntold { push() }
    }
  }

  private func take(_ marker: ReadPosition) {
    guard !marker.lastReadID.isEmpty else { return }
    known[marker.place] = marker
    compare(marker)
  }

  /// Reads on to the server's marker if that is further up. Not before the mark on disk is known: where nothing tells
  /// which of two is further up, the one that is here stays.
  private func compare(_ marker: ReadPosition) {
    if positions.isLoaded { positions.take(ReadMark(marker), in: marker.place.list) }
  }

  /// The marks on disk are known: compares the server's with them.
  func positionsDidLoad() {
    known.values.forEach(compare)
    pushSoon()
  }

  /// Compares the server's marker with ours again: its row may have come.
  func rowsDidChange(_ place: ReadPosition.Place) {
    guard let marker = known[place] else { return }
    compare(marker)
    if pushTimer == nil, !isPulling { pushSoon() }
  }

  private func note(_ error: DownloadError) {
    switch error {
    case .notFound, .unreadable, .forbidden, .serverFailed(_, 501), .unexpectedStatus(_, 405): isUnsupported = true
    default: break
    }
  }

  // MARK: Telling

  /// The reader has moved: tells the server soon.
  func noteRead(_ place: ReadPosition.Place) {
    moved.insert(place)
    pushSoon()
  }

  /// Tells the server what it doesn't know, once the reader has stood still for a while.
  func pushSoon() {
    guard hasUntold else { return }
    let now = connection.clock.now
    let first = firstMoveAt ?? now
    firstMoveAt = first
    let left = Self.longestPushDelay - .seconds(max(0, now.timeIntervalSince(first)))
    pushTimer = connection.clock.schedule(after: min(Self.pushDelay, max(.zero, left))) { [weak self] in self?.push() }
  }

  /// Tells the server what it doesn't know. What it has is fetched before unless it just was, so that a marker is not
  /// moved back.
  func push() {
    pushTimer = nil
    firstMoveAt = nil
    guard isUsable, positions.isLoaded, !isPushing else { return }
    guard let pulledAt, connection.clock.now.timeIntervalSince(pulledAt) < Self.freshness else {
      if hasUntold { pull() }
      return
    }
    let new = ReadPosition.Place.allCases.filter(needsPush).compactMap { place in
      positions.mark(in: place.list).map {
        ReadPosition(place: place, lastReadID: $0.id, version: known[place]?.version ?? 0)
      }
    }
    guard !new.isEmpty else { return }
    isPushing = true
    connection.ask(.setReadPositions(new)) { [weak self] in self?.didPush(new, $0) }
  }

  private func didPush(_ new: [ReadPosition], _ result: Result<[ReadPosition], DownloadError>) {
    isPushing = false
    switch result {
    case .success(let saved):
      conflictCount = 0
      for var marker in new {
        marker.version = 0
        marker.updatedAt = connection.clock.now
        known[marker.place] = marker
        let count = told[marker.place].map { $0.id == marker.lastReadID ? $0.count : 0 } ?? 0
        told[marker.place] = (marker.lastReadID, count + 1)
        if positions.mark(in: marker.place.list)?.id == marker.lastReadID { moved.remove(marker.place) }
      }
      saved.forEach(take)
      if new.contains(where: { positions.mark(in: $0.place.list)?.id != $0.lastReadID }) { pushSoon() }
    case .failure(.unexpectedStatus(_, 409)):
      pulledAt = nil
      conflictCount += 1
      // Otherwise with the next move, or the next time that something is fetched.
      if conflictCount < Self.mostConflicts { push() } else { conflictCount = 0 }
    case .failure(let error): note(error)
    }
  }

  /// Whether the reader was further here than the server knows.
  private func needsPush(_ place: ReadPosition.Place) -> Bool {
    guard let own = positions.mark(in: place.list) else { return false }
    if let told = told[place], told.id == own.id, told.count >= Self.mostTimesTold { return false }
    guard let marker = known[place] else { return pulledAt != nil || moved.contains(place) }
    let other = ReadMark(marker)
    guard !own.isSameRow(as: other) else { return false }
    if let isAbove = positions.isMark(own, above: other, in: place.list) { return isAbove }
    // The server's row isn't known here: who read last is right.
    guard let readAt = own.readAt, let updatedAt = marker.updatedAt else { return moved.contains(place) }
    return readAt > updatedAt
  }
}
