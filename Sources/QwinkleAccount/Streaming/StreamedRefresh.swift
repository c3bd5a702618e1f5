import Timekeeping

/// Refreshes a list when its stream reports a change: soon, but not often.
@MainActor
final class StreamedRefresh {
  private static let soon = Duration.milliseconds(200)
  private static let pause = Duration.seconds(3)

  private let clock: any ProgramClock
  private let isBusy: @MainActor () -> Bool
  private let refresh: @MainActor () -> Void
  private var timer: ProgramTimer?
  private var refreshedAt: Duration?

  init(
    clock: any ProgramClock, isBusy: @escaping @MainActor () -> Bool, refresh: @escaping @MainActor () -> Void
  ) {
    self.clock = clock
    self.isBusy = isBusy
    self.refresh = refresh
  }

  /// Schedules a refresh, unless one is scheduled.
  func ask() {
    guard timer?.isPending != true else { return }
    let wait = refreshedAt.map { Self.pause - (clock.uptime - $0) } ?? .zero
    timer = clock.schedule(after: max(Self.soon, wait)) { [weak self] in self?.act() }
  }

  private func act() {
    timer = nil
    // The refresh in progress may predate the reported change, so schedule another one.
    if isBusy() { return ask() }
    refreshedAt = clock.uptime
    refresh()
  }
}
