import PaneKit
import Terminal
import Timekeeping

/// The bottom rows: a notice or the screen's state, and key hints.
@MainActor
final class StatusView: View {
  private let bar = BarView()
  private let clock: any ProgramClock
  private var notice: Notice?
  /// Number of keys pressed before the notice appeared; nil if keys don't remove it.
  private var keyCount: Int?
  private var timer: ProgramTimer?

  /// Sent when a notice's time is up or a key removes it, but not when it is no longer true.
  var didEndMessage = TargetActions()

  init(clock: any ProgramClock) {
    self.clock = clock
    super.init()
    addSubview(bar)
  }

  /// Sets the notice. ``show(_:held:hints:)`` displays it.
  func report(_ notice: Notice) {
    self.notice = notice
    keyCount = notice.lifetime == .untilKey ? window?.application?.keyCount : nil
    timer = clock.schedule(after: notice.lifetime.duration) { [weak self] in self?.endNoticeNow() }
  }

  /// Removes a notice whose lifetime ends with a key that the user has pressed since it appeared. No notice is removed
  /// while a sheet is open.
  func endFormerNotice() {
    guard let window, window.topSheet == nil, let application = window.application, let keyCount,
      keyCount < application.keyCount
    else { return }
    self.keyCount = nil
    endNoticeNow()
  }

  private func endNoticeNow() {
    endNotice()
    didEndMessage.send()
  }

  /// Whether a notice is shown, or will be with the next update.
  var hasNotice: Bool { notice != nil }

  /// Whether the notice is no longer true.
  var isNoticeOver: Bool { notice?.isSo?() == false }

  /// Shows `hints` and the notice, or `hints` and `state` if there is no notice. `held` describes a pending action, if
  /// any. It replaces `state` and is shown after the notice.
  func show(_ state: BarView.Item?, held: BarView.Item? = nil, hints: [BarView.Item]) {
    if isNoticeOver { endNotice() }
    let message = notice.map { BarView.Item($0.text, $0.role, priority: 110) }
    bar.leading = hints
    bar.trailing = [held == nil ? message ?? state : message, held].compactMap(\.self)
  }

  /// Shows the pressed keys and their possible continuations.
  func show(following items: [BarView.Item]) {
    bar.leading = items
    bar.trailing = []
  }

  private func endNotice() {
    notice = nil
    timer = nil
  }

  override func intrinsicSize(in room: Size) -> Size { bar.intrinsicSize(in: room) }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: bar]) }
}
