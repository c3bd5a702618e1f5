import FoundationEssentials
import Timekeeping

/// One timer for what an ``Agenda`` has planned next, so that listeners hear of it on a server without requests.
final class Alarm: Sendable {
  private let agenda: Agenda
  private let clock: any ProgramClock
  /// Does what is due and plans what comes next.
  private let work: @Sendable () async -> Void
  @MainActor private var timer: ProgramTimer?

  init(_ agenda: Agenda, clock: any ProgramClock, work: @escaping @Sendable () async -> Void) {
    self.agenda = agenda
    self.clock = clock
    self.work = work
  }

  /// Does what is due now, and from now on what becomes due.
  func start() async {
    agenda.whenPlanned { [weak self] in self?.set() }
    await work()
    set()
  }

  func stop() {
    agenda.whenPlanned(nil)
    Task { @MainActor in timer = nil }
  }

  /// Sets the timer for what is planned next.
  private func set() {
    Task { @MainActor [weak self] in self?.schedule() }
  }

  @MainActor
  private func schedule() {
    guard let next = agenda.next else {
      timer = nil
      return
    }
    timer = clock.schedule(after: .milliseconds(max(0, next - clock.now.milliseconds))) { [weak self] in
      Task { await self?.ring() }
    }
  }

  private func ring() async {
    await work()
    set()
  }
}
