import FoundationEssentials
import Timekeeping

/// A timer for the next scheduled time of an ``Agenda``. It starts due work even if the server receives no requests.
final class Alarm: Sendable {
  private let agenda: Agenda
  private let clock: any ProgramClock
  /// Does the due work and puts the next time in the agenda.
  private let work: @Sendable () async -> Void
  @MainActor private var timer: ProgramTimer?

  init(_ agenda: Agenda, clock: any ProgramClock, work: @escaping @Sendable () async -> Void) {
    self.agenda = agenda
    self.clock = clock
    self.work = work
  }

  /// Does the due work, then returns. Work that becomes due later is done by the timer until ``stop()`` is called.
  func start() async {
    agenda.whenPlanned { [weak self] in self?.set() }
    await work()
    set()
  }

  func stop() {
    agenda.whenPlanned(nil)
    Task { @MainActor in timer = nil }
  }

  /// Sets the timer to the next scheduled time.
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
