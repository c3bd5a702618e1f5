import PaneKit
import Terminal
import Timekeeping

/// The lowest rows: what was said a moment ago, or how the screen is doing, and what keys do there.
@MainActor
final class StatusView: View {
  private let bar = BarView()
  private let clock: any ProgramClock
  private var notice: BarView.Item?
  /// Whether the notice is still so, which is looked at after it was shown first; nil: nothing can change that.
  var noticeIsSo: (@MainActor () -> Bool)?
  private var timer: ProgramTimer?

  /// Sent after a notice has stood there for its time.
  var didEndNotice = TargetActions()

  init(clock: any ProgramClock) {
    self.clock = clock
    super.init()
    addSubview(bar)
  }

  /// Takes `text` as the notice, for so long.
  func say(_ text: String, _ role: StyleRole, for time: Duration) {
    notice = BarView.Item(text, role, priority: 110)
    noticeIsSo = nil
    timer = clock.schedule(after: time) { [weak self] in
      self?.endNotice()
      self?.didEndNotice.send()
    }
  }

  /// Whether the notice is no longer so.
  var isNoticeOver: Bool { noticeIsSo?() == false }

  /// Shows the notice, or else `state`, and `hints`.
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

  /// As many rows as it takes to read the most important part whole.
  override func intrinsicSize(in room: Size) -> Size { bar.intrinsicSize(in: room) }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: bar]) }
}
