import PaneKit
import Terminal
import Timekeeping

/// The bottom rows: a message or the screen's state, and key hints.
@MainActor
final class StatusView: View {
  private let bar = BarView()
  private let clock: any ProgramClock
  private var message: BarView.Item?
  /// Whether the message still holds, asked after it was shown once; nil: always.
  var messageIsSo: (@MainActor () -> Bool)?
  private var timer: ProgramTimer?

  /// Sent when a message is over.
  var didEndMessage = TargetActions()

  init(clock: any ProgramClock) {
    self.clock = clock
    super.init()
    addSubview(bar)
  }

  /// Sets the message; ``show(_:hints:)`` shows it.
  func say(_ text: String, _ role: StyleRole, for time: Duration) {
    message = BarView.Item(text, role, priority: 110)
    messageIsSo = nil
    timer = clock.schedule(after: time) { [weak self] in self?.endMessageNow() }
  }

  /// Ends the message before its time is over.
  func endMessageNow() {
    endMessage()
    didEndMessage.send()
  }

  /// Whether the message is out of date.
  var isMessageOver: Bool { messageIsSo?() == false }

  /// Shows the message, or `state` if there is none, and `hints`; or what is `held`, with the message if there is room.
  func show(_ state: BarView.Item?, held: BarView.Item? = nil, hints: [BarView.Item]) {
    if isMessageOver { endMessage() }
    bar.leading = hints
    bar.trailing = [held == nil ? message ?? state : message, held].compactMap(\.self)
  }

  /// Shows the keys that have been pressed, and what can follow.
  func show(following items: [BarView.Item]) {
    bar.leading = items
    bar.trailing = []
  }

  private func endMessage() {
    message = nil
    messageIsSo = nil
    timer = nil
  }

  /// The rows that the message or state takes.
  override func intrinsicSize(in room: Size) -> Size { bar.intrinsicSize(in: room) }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: bar]) }
}
