import PaneKit
import Terminal
import Timekeeping

/// The top row: sections, account and connection.
@MainActor
final class HeaderView: View {
  private static let progressDelay = Duration.milliseconds(250)

  var words: HeaderWords? {
    didSet { updateBar() }
  }

  /// Sent before a frame if ``words`` may be out of date.
  var willUpdate = TargetActions()

  /// Whether a request is in progress. A spinner appears after a short delay.
  var isBusy = false {
    didSet { if isBusy != oldValue { updateProgress() } }
  }

  private let bar = BarView()
  /// The content and the width that the bar currently shows.
  private var shown: (words: HeaderWords, columns: Int)?
  private let progress: ProgressView
  private let clock: any ProgramClock
  private var timer: ProgramTimer?

  init(clock: any ProgramClock) {
    self.clock = clock
    progress = ProgressView(clock: clock)
    super.init()
    bar.linearKind = nil
    bar.gap = HeaderWords.gap
    addSubview(bar)
    addSubview(progress)
  }

  override func updateProperties() {
    willUpdate.send()
    updateBar()
  }

  override func layout(in size: Size) -> Layout? {
    .layers([bar, Layout.columns([.fixed(1): progress])])
  }

  private func updateBar() {
    guard let words else { return }
    let columns = frame.size.columns
    // Laying out the sections is slow, and the content is often set unchanged.
    guard shown?.columns != columns || shown?.words != words else { return }
    shown = (words, columns)
    bar.leading = words.leading(forColumns: columns)
    bar.trailing = words.trailing
  }

  private func updateProgress() {
    timer = nil
    guard isBusy else {
      progress.isSpinning = false
      return
    }
    timer = clock.schedule(after: Self.progressDelay) { [weak self] in self?.progress.isSpinning = true }
  }
}
