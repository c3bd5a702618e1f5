import Terminal
public import Timekeeping

/// A spinner in one cell. While it isn't spinning, it draws nothing and schedules no timer.
@MainActor
public final class ProgressView: View {
  private static let marks = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
  private static let interval = Duration.milliseconds(120)

  public var isSpinning = false {
    didSet {
      guard isSpinning != oldValue else { return }
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
    if isSpinning { canvas.write(Self.marks[phase % Self.marks.count], row: 0, column: 0, role: .accent) }
  }

  private func turn() {
    guard isSpinning else {
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
