import Terminal
public import Timekeeping

/// A progress indicator in one row: a spinner, or a bar for the fraction that is done. While idle, it draws nothing and
/// schedules no timer.
@MainActor
public final class ProgressView: View {
  private static let marks = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
  private static let interval = Duration.milliseconds(120)

  public enum Progress: Hashable, Sendable {
    case idle
    case indeterminate
    /// From 0 to 1.
    case fraction(Double)
  }

  public var progress = Progress.idle {
    didSet {
      guard progress != oldValue else { return }
      setNeedsDisplay()
      turn()
    }
  }

  private let clock: any ProgramClock
  private var phase = 0
  private var timer: ProgramTimer?

  public init(clock: any ProgramClock) {
    self.clock = clock
    super.init()
  }

  override public func draw(in canvas: Canvas) {
    switch progress {
    case .idle: break
    case .indeterminate: canvas.write(Self.marks[phase % Self.marks.count], row: 0, column: 0, role: .accent)
    case .fraction(let fraction):
      let columns = Int((min(max(fraction, 0), 1) * Double(canvas.size.columns)).rounded())
      canvas.write(String(repeating: "━", count: columns), row: 0, column: 0, role: .accent)
    }
  }

  private func turn() {
    guard progress == .indeterminate else {
      timer = nil
      return
    }
    guard timer?.isPending != true else { return }
    timer = clock.schedule(after: Self.interval) { [weak self] in
      guard let self else { return }
      phase += 1
      setNeedsDisplay()
      turn()
    }
  }
}
