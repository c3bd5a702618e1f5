import PaneKit
import Terminal
import Timekeeping

/// The bottom rows: a message or the screen's state, and key hints.
@MainActor
final class StatusView: View {
  private let bar = BarView()
  private let clock: any ProgramClock
  private var message: BarView.Item?
  /// Returns whether the message is still true; nil if it can't become outdated. Set this after ``say(_:_:for:)``,
  /// which resets it.
  var messageIsSo: (@MainActor () -> Bool)?
  private var timer: ProgramTimer?

  /// Sent when a message's time is up or ``endMessageNow()`` removes it, but not when ``messageIsSo`` returns false.
  var didEndMessage = TargetActions()

  init(clock: any ProgramClock) {
    self.clock = clock
    super.init()
    addSubview(bar)
  }

  /// Sets the message. ``show(_:held:hints:)`` displays it.
  func say(_ text: String, _ role: StyleRole, for time: Duration) {
    message = BarView.Item(text, role, priority: 110)
    messageIsSo = nil
    timer = clock.schedule(after: time) { [weak self] in self?.endMessageNow() }
  }

  /// Removes the message before its time is up.
  func endMessageNow() {
    endMessage()
    didEndMessage.send()
  }

  /// Whether the message is no longer true.
  var isMessageOver: Bool { messageIsSo?() == false }

  /// Shows `hints` and the message, or `hints` and `state` if there is no message. `held` describes a pending action,
  /// if any. It replaces `state` and is shown after the message.
  func show(_ state: BarView.Item?, held: BarView.Item? = nil, hints: [BarView.Item]) {
    if isMessageOver { endMessage() }
    bar.leading = hints
    bar.trailing = [held == nil ? message ?? state : message, held].compactMap(\.self)
  }

  /// Shows the pressed keys and their possible continuations.
  func show(following items: [BarView.Item]) {
    bar.leading = items
    bar.trailing = []
  }

  private func endMessage() {
    message = nil
    messageIsSo = nil
    timer = nil
  }

  override func intrinsicSize(in room: Size) -> Size { bar.intrinsicSize(in: room) }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: bar]) }
}
