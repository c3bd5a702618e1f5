public import QwinkleModel
import QwinkleService
import Timekeeping

/// Observes an asynchronous refresh on the server until it ends, and calls its owner when there are new results.
///
/// Releasing the watch ends it. It also ends after ``mostRequests``, after a failure, and if the server no longer knows
/// the refresh.
@MainActor
public final class AsyncRefreshWatch {
  /// Limit for servers that never report the end.
  private static let mostRequests = 40

  /// The refresh as last reported.
  public private(set) var refresh: AsyncRefresh
  private let connection: AccountConnection
  /// Number of results at the last call of ``didFindResults``.
  private var fetchedCount: Int
  private var requestsCount = 0
  private var timer: ProgramTimer?
  private var fetch: Fetch?
  /// Called after each report of the server, and at the end.
  private let didChange: @MainActor () -> Void
  /// Called when the server has new results, so that the owner fetches its data again.
  private let didFindResults: @MainActor () -> Void

  public init(
    _ refresh: AsyncRefresh, through connection: AccountConnection, didChange: @escaping @MainActor () -> Void,
    didFindResults: @escaping @MainActor () -> Void
  ) {
    self.refresh = refresh
    self.connection = connection
    self.didChange = didChange
    self.didFindResults = didFindResults
    // The answer with the header already had these results.
    fetchedCount = refresh.resultCount ?? 0
    waitToAsk()
  }

  private func waitToAsk() {
    guard requestsCount < Self.mostRequests else { return end() }
    timer = connection.clock.schedule(after: .seconds(refresh.wait)) { [weak self] in self?.ask() }
  }

  private func ask() {
    timer = nil
    requestsCount += 1
    fetch = connection.fetch(.asyncRefresh(refresh.id)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      switch result {
      case .success(let newer): note(newer)
      case .failure: end()
      }
    }
  }

  private func note(_ newer: AsyncRefresh) {
    refresh.isRunning = newer.isRunning
    refresh.resultCount = newer.resultCount ?? refresh.resultCount
    let count = newer.resultCount ?? 0
    // A server that reports no number may have found something.
    let hasNew = count > fetchedCount || (!newer.isRunning && newer.resultCount == nil)
    fetchedCount = max(fetchedCount, count)
    if newer.isRunning { waitToAsk() }
    didChange()
    if hasNew { didFindResults() }
  }

  private func end() {
    refresh.isRunning = false
    didChange()
  }
}

extension AccountConnection {
  /// Waits until an asynchronous refresh ends, or for `seconds`. Returns whether the server may have new results.
  public func waits(for refresh: AsyncRefresh, atMost seconds: Int) async -> Bool {
    var (state, waited) = (refresh, 0)
    while state.isRunning, waited < seconds {
      let wait = min(state.wait, seconds - waited)
      guard await ClockWait(on: clock).wait(for: .seconds(wait)) == .passed else { return false }
      waited += wait
      do throws(DownloadError) {
        state = try await answer(to: .asyncRefresh(refresh.id))
        state.retrySeconds = refresh.retrySeconds
      } catch {
        // A server that no longer knows the refresh has probably finished it.
        state.isRunning = false
      }
    }
    return state.resultCount != refresh.resultCount || state.resultCount == nil
  }
}

extension AsyncRefresh {
  /// Seconds until the next request, within bounds that apply to every server.
  fileprivate var wait: Int { min(max(retrySeconds ?? 2, 2), 60) }
}
