import Logging
import NIOCore

/// Writes a listener's messages to its connection, and lets go of a reader that is too slow. All calls are on the
/// connection's event loop, but for those of the hub.
final class StreamOutput {
  private let front: FrontParts
  private let listening: Listening
  private let channel: any Channel
  /// Writes and flushes a message.
  private let write: (StreamMessage) -> Void
  /// Writes and flushes a sign of life.
  private let beat: () -> Void
  private var id: EventHub.ID?
  private var timer: Scheduled<Void>?
  /// Whether bytes waited at the last sign of life.
  private var wasBehind = false

  init(
    _ front: FrontParts, _ listening: Listening, channel: any Channel, write: @escaping (StreamMessage) -> Void,
    beat: @escaping () -> Void
  ) {
    self.front = front
    self.listening = listening
    self.channel = channel
    self.write = write
    self.beat = beat
  }

  /// Begins to listen.
  func start() {
    let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
    let channel = self.channel
    id = front.service.events.add(
      EventHub.Listener(
        listening: listening, streams: Set([listening.stream].compactMap(\.self)),
        deliver: { message in me.eventLoop.execute { me.value.deliver(message) } },
        end: { channel.close(promise: nil) }))
    schedule()
  }

  /// Ends listening. To be called once the connection is closed.
  func stop() {
    timer?.cancel()
    timer = nil
    if let id { front.service.events.remove(id) }
    id = nil
  }

  /// Changes what is listened to.
  func change(_ change: (inout Set<StreamName>) -> Void) {
    if let id { front.service.events.change(id, change) }
  }

  private func deliver(_ message: StreamMessage) {
    guard id != nil else { return }
    let waiting = self.waiting
    if waiting > front.limits.mostWaiting { return drop("\(waiting) bytes wait for it") }
    write(message)
  }

  private func schedule() {
    let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
    timer = channel.eventLoop.scheduleTask(in: TimeAmount(front.limits.beat)) { me.value.tick() }
  }

  private func tick() {
    guard id != nil else { return }
    let isBehind = waiting > 0
    if isBehind, wasBehind { return drop("it took nothing for \(front.limits.beat)") }
    wasBehind = isBehind
    beat()
    schedule()
    front.tokens.look()
  }

  /// The bytes that the connection didn't take yet.
  private var waiting: Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  private func drop(_ reason: String) {
    let account = listening.viewer.map { "of account \($0)" } ?? "of somebody signed out"
    front.log.warning("A stream \(account) was ended, as its reader is too slow: \(reason).")
    stop()
    channel.close(promise: nil)
  }
}
