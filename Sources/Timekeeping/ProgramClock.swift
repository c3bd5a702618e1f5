public import FoundationEssentials

/// The only source of time. Code that needs the time or a timer receives a clock and never uses the system's clock
/// directly, so that a test or a tape can control the time.
public protocol ProgramClock: AnyObject, Sendable {
  /// The wall time.
  var now: Date { get }

  /// Time since some fixed moment. It never decreases, even if the wall time is set back.
  var uptime: Duration { get }

  /// The zone in which times of day are shown.
  var timeZone: ClockZone { get }

  /// Performs `action` on the main actor once `delay` has passed, unless the timer is released first.
  @MainActor func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> ProgramTimer
}

/// A timer of a ``ProgramClock``. Releasing the timer cancels it.
@MainActor
public final class ProgramTimer {
  private var action: (@MainActor () -> Void)?

  /// For implementers of ``ProgramClock``.
  public init(_ action: @escaping @MainActor () -> Void) {
    self.action = action
  }

  /// Whether the timer hasn't fired yet.
  public var isPending: Bool { action != nil }

  /// Performs the action once. For implementers of ``ProgramClock``.
  public func fire() {
    let action = self.action
    self.action = nil
    action?()
  }
}
