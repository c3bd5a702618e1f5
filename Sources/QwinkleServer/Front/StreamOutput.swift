import Logging
import NIOCore

/// Writes a listener's messages to its connection, and closes the connection if the client reads too slowly. All calls
/// are on the connection's event loop, except calls from the ``EventHub``.
final class StreamOutput {
  private let front: FrontParts
  private let listening: Listening
  private let channel: any Channel
  private let format: StreamMessage.Format
  /// Share of the client's budget for unread bytes.
  private var unread: Share?
  /// Writes and flushes a message.
  private let write: (ByteBuffer) -> Void
  /// Writes and flushes a keep-alive message.
  private let beat: () -> Void
  private var id: EventHub.ID?
  private var timer: Scheduled<Void>?
  /// Whether bytes were unread at the last keep-alive message.
  private var wasBehind = false

  init(
    _ front: FrontParts, _ listening: Listening, channel: any Channel, _ format: StreamMessage.Format,
    write: @escaping (ByteBuffer) -> Void, beat: @escaping () -> Void
  ) {
    self.front = front
    self.listening = listening
    self.channel = channel
    self.format = format
    self.write = write
    self.beat = beat
  }

  func start() {
    let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
    let channel = self.channel
    id = front.service.events.add(
      EventHub.Listener(
        listening: listening, streams: listening.streams,
        deliver: { message in me.eventLoop.execute { me.value.deliver(message) } },
        end: { channel.close(promise: nil) },
        settle: { try? await channel.eventLoop.submit {}.get() }))
    schedule()
  }

  /// Stops listening. The caller closes the connection.
  func stop() {
    timer?.cancel()
    timer = nil
    listening.connection?.release()
    unread = nil
    if let id { front.service.events.remove(id) }
    id = nil
  }

  /// Adds a stream.
  ///
  /// - Throws: ``Refusal`` if the connection or its client has too many streams.
  func subscribe(to stream: StreamChannel) throws(Refusal) {
    if let id { try front.service.events.subscribe(id, to: stream) }
  }

  func unsubscribe(from stream: StreamChannel) {
    if let id { front.service.events.unsubscribe(id, from: stream) }
  }

  private func deliver(_ message: StreamMessage) {
    guard id != nil else { return }
    let waiting = self.waiting
    if waiting > front.limits.mostWaiting { return drop("\(waiting) bytes wait for it") }
    // A message can be long, so its bytes are counted before they are encoded.
    guard count(waiting + message.count(format, for: listening.origin)) else { return drop(Self.exceedsBudget) }
    write(message.buffer(format, for: listening.origin))
    _ = count(self.waiting)
  }

  private static let exceedsBudget = "too many bytes wait for its client"

  /// Counts the unread bytes in the client's budget. If they exceed the budget, returns false and leaves the previous
  /// count.
  private func count(_ waiting: Int) -> Bool {
    if waiting == 0, unread == nil { return true }
    do throws(Refusal) {
      if unread == nil { unread = try front.service.budget.take(.responseBytes, for: listening.client) }
      try unread?.resize(to: waiting)
      return true
    } catch {
      return false
    }
  }

  private func schedule() {
    let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
    timer = channel.eventLoop.scheduleTask(in: TimeAmount(front.limits.beat)) { me.value.tick() }
  }

  private func tick() {
    guard id != nil else { return }
    let isBehind = waiting > 0
    guard count(waiting) else { return drop(Self.exceedsBudget) }
    if isBehind, wasBehind { return drop("it read nothing for \(front.limits.beat)") }
    wasBehind = isBehind
    beat()
    schedule()
    front.tokens.look()
  }

  /// Number of bytes that the system hasn't accepted yet.
  private var waiting: Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  private func drop(_ reason: String) {
    let account = listening.viewer.map { "of account \($0)" } ?? "of a signed-out client"
    front.log.warning("A stream \(account) was ended, as its reader is too slow: \(reason).")
    stop()
    channel.close(promise: nil)
  }
}
