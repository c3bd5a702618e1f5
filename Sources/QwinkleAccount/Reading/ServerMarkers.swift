import FoundationEssentials
import QwinkleModel
import QwinkleService
import Timekeeping

/// The read positions in home and notifications that the server stores for all of the user's clients. All markers are
/// fetched together. A marker is sent a few seconds after the reader's position has changed, and is never moved back.
@MainActor
final class ServerMarkers {
  /// Delay after a move, and the maximum delay while the reader keeps moving.
  private static let pushDelay = Duration.seconds(5)
  private static let longestPushDelay = Duration.seconds(30)
  /// Maximum age of the fetched markers when a marker is sent, in seconds.
  private static let freshness: TimeInterval = 20
  /// Maximum number of consecutive attempts to send markers that fail because another client changed the markers first.
  private static let mostConflicts = 3
  /// Maximum number of times the same position is sent in a run, in case the server keeps returning an older position.
  private static let mostTimesTold = 3

  private unowned let positions: ReadPositions
  /// The markers last reported by the server.
  private var known: [ReadPosition.Place: ReadPosition] = [:]
  /// Whether the first fetch has finished, successfully or not.
  private(set) var wasAsked = false
  private var pulledAt: Date?
  private var downloads: [DownloadIdentifier: Download] = [:]
  private var isPulling = false
  private var isPushing = false
  private var conflictCount = 0
  /// The position last sent, and how often it was sent.
  private var told: [ReadPosition.Place: (id: String, count: Int)] = [:]
  /// Whether the server doesn't support markers. If so, it isn't asked again in this run.
  private var isUnsupported = false
  /// Lists whose position has moved in this run and hasn't been sent.
  private var moved: Set<ReadPosition.Place> = []
  private var pushTimer: ProgramTimer?
  private var firstMoveAt: Date?

  init(_ positions: ReadPositions) {
    self.positions = positions
  }

  private var connection: AccountConnection { positions.connection }
  private var isUsable: Bool { connection.isSignedIn && !isUnsupported }

  /// Whether any read position here is ahead of the server's.
  var hasUntold: Bool { isUsable && ReadPosition.Place.allCases.contains(where: needsPush) }

  // MARK: Fetching

  func pull() {
    guard isUsable, !isPulling else { return }
    isPulling = true
    downloads[connection.start(.readPositions.prioritized(.background), delegate: self)] = .pull
  }

  private func didPull(_ markers: [ReadPosition]) {
    pulledAt = connection.clock.now
    markers.forEach(take)
    didEndPull()
  }

  private func didEndPull() {
    isPulling = false
    if !wasAsked {
      wasAsked = true
      connection.observers.forEach { $0.readPositions(positions, didChangeIn: .notifications) }
    }
    if pulledAt == connection.clock.now, hasUntold { push() }
  }

  private func take(_ marker: ReadPosition) {
    guard !marker.lastReadID.isEmpty else { return }
    known[marker.place] = marker
    compare(marker)
  }

  /// Adopts the server's marker if it is above the local one, and keeps the local one if their order is unknown. Does
  /// nothing until the saved marks are loaded.
  private func compare(_ marker: ReadPosition) {
    if positions.isLoaded { positions.take(ReadMark(marker), in: marker.place.list) }
  }

  /// Called when the saved marks have been loaded. Compares them with the server's markers.
  func positionsDidLoad() {
    known.values.forEach(compare)
    pushSoon()
  }

  /// Compares the server's marker with the local one again, because its row may have been loaded.
  func rowsDidChange(_ place: ReadPosition.Place) {
    guard let marker = known[place] else { return }
    compare(marker)
    if pushTimer == nil, !isPulling { pushSoon() }
  }

  private func note(_ error: DownloadError) {
    if Self.isLack(error) { isUnsupported = true }
  }

  /// Whether an error shows that the server doesn't support markers.
  static func isLack(_ error: DownloadError) -> Bool {
    switch error {
    case .notFound, .unreadable, .forbidden, .serverFailed(_, 501), .unexpectedStatus(_, 405): true
    default: false
    }
  }

  // MARK: Notifying

  /// Called when the reader has moved. Sends the position after a delay.
  func noteRead(_ place: ReadPosition.Place) {
    moved.insert(place)
    pushSoon()
  }

  /// Sends new positions to the server after the reader has stopped moving.
  func pushSoon() {
    guard hasUntold else { return }
    let now = connection.clock.now
    let first = firstMoveAt ?? now
    firstMoveAt = first
    let left = Self.longestPushDelay - .seconds(max(0, now.timeIntervalSince(first)))
    pushTimer = connection.clock.schedule(after: min(Self.pushDelay, max(.zero, left))) { [weak self] in self?.push() }
  }

  /// Sends new positions to the server. If the fetched markers aren't recent, fetches them first, so that no marker is
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
    downloads[connection.start(.setReadPositions(new), delegate: self)] = .push(new)
  }

  private func didPush(_ new: [ReadPosition], saved: [ReadPosition]) {
    isPushing = false
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
  }

  private func didFailPush(_ error: DownloadError) {
    isPushing = false
    guard case .unexpectedStatus(_, 409) = error else { return note(error) }
    pulledAt = nil
    conflictCount += 1
    // After too many conflicts, the next move or fetch tries again.
    if conflictCount < Self.mostConflicts { push() } else { conflictCount = 0 }
  }

  /// Whether the local position is ahead of the server's.
  private func needsPush(_ place: ReadPosition.Place) -> Bool {
    guard let own = positions.mark(in: place.list) else { return false }
    if let told = told[place], told.id == own.id, told.count >= Self.mostTimesTold { return false }
    guard let marker = known[place] else { return pulledAt != nil || moved.contains(place) }
    let other = ReadMark(marker)
    guard !own.isSameRow(as: other) else { return false }
    if let isAbove = positions.isMark(own, above: other, in: place.list) { return isAbove }
    // The server's row isn't loaded here, so the position with the later reading time wins.
    guard let readAt = own.readAt, let updatedAt = marker.updatedAt else { return moved.contains(place) }
    return readAt > updatedAt
  }
}

extension ServerMarkers {
  private enum Download {
    case pull
    /// Sends markers.
    case push([ReadPosition])
  }
}

extension ServerMarkers: DownloadServiceDelegate {
  func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard let markers = answer as? [ReadPosition] else { return }
    switch downloads.removeValue(forKey: identifier) {
    case .pull: didPull(markers)
    case .push(let new): didPush(new, saved: markers)
    case nil: break
    }
  }

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    switch downloads.removeValue(forKey: identifier) {
    case .pull:
      note(error)
      didEndPull()
    case .push: didFailPush(error)
    case nil: break
    }
  }

  func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    // A cancelled fetch ends without an answer. A cancelled write may still reach the server.
    if case .pull = downloads.removeValue(forKey: identifier) { didEndPull() }
  }
}
