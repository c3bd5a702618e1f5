import PaneKit
import Terminal
import Timekeeping

/// The bottom rows: a notice or the screen's state, and key hints.
@MainActor
final class StatusView: View {
  private let bar = BarView()
  private let clock: any ProgramClock
  private var notice: BarView.Item?
  /// Whether the notice still holds, asked after it was shown once; nil: always.
  var noticeIsSo: (@MainActor () -> Bool)?
  private var timer: ProgramTimer?

  /// Sent when the time of a notice is over.
  var didEndNotice = TargetActions()

  init(clock: any ProgramClock) {
    self.clock = clock
    super.init()
    addSubview(bar)
  }

  /// Sets the notice; ``show(_:hints:)`` shows it.
  func say(_ text: String, _ role: StyleRole, for time: Duration) {
    notice = BarView.Item(text, role, priority: 110)
    noticeIsSo = nil
    timer = clock.schedule(after: time) { [weak self] in
      self?.endNotice()
      self?.didEndNotice.send()
    }
  }

  /// Whether the notice no longer holds.
  var isNoticeOver: Bool { noticeIsSo?() == false }

  /// Shows the notice, or `state` if there is none, and `hints`.
  func show(_ state: BarView.Item?, hints: [BarView.Item]) {
    if isNoticeOver { endNotice() }
    bar.leading = [notice ?? state].compactMap(\.self)
    bar.trailing = hints
  }

  /// Shows the keys that have been pressed, and what can follow.
  func show(following items: [BarView.Item]) {
    bar.leading = items
    bar.trailing = []
  }

  private func endNotice() {
    notice = nil
    noticeIsSo = nil
    timer = nil
  }

  /// The rows that the notice or state takes.
  override func intrinsicSize(in room: Size) -> Size { bar.intrinsicSize(in: room) }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: bar]) }
}
