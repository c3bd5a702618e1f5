import Dispatch
public import FoundationEssentials

/// The system's clock. Timers run on the main queue, because `Task.sleep` would start the global pool, which wakes an
/// idle program every second.
public final class SystemClock: ProgramClock {
  private let start = ContinuousClock.now
  public let timeZone = ClockZone.local

  public init() {}

  public var now: Date { Date() }

  public var uptime: Duration { start.duration(to: .now) }

  @MainActor
  public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> ProgramTimer {
    let timer = ProgramTimer(action)
    let (seconds, attoseconds) = delay.components
    let deadline = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    DispatchQueue.main.asyncAfter(deadline: deadline) { [weak timer] in
      MainActor.assumeIsolated { timer?.fire() }
    }
    return timer
  }
}
