import Logging
import NIOCore

/// Writes a listener's messages to its connection, and lets go of a reader that is too slow. All calls are on the
/// connection's event loop, but for those of the hub.
final class StreamOutput {
  private let front: FrontParts
  private let listening: Listening
  private let channel: any Channel
  /// Its place in the client's budget.
  private let place: Share
  /// The bytes that the client hasn't read, in its budget.
  private var unread: Share?
  /// Writes and flushes a message.
  private let write: (StreamMessage) -> Void
  /// Writes and flushes a sign of life.
  private let beat: () -> Void
  private var id: EventHub.ID?
  private var timer: Scheduled<Void>?
  /// Whether bytes waited at the last sign of life.
  private var wasBehind = false

  init(
    _ front: FrontParts, _ listening: Listening, _ place: Share, channel: any Channel,
    write: @escaping (StreamMessage) -> Void, beat: @escaping () -> Void
  ) {
    self.place = place
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
    unread = nil
    place.release()
  }

  /// Adds a stream.
  ///
  /// - Throws: ``Refusal`` if the connection or its client has too many.
  func subscribe(to stream: StreamName) throws(Refusal) {
    if let id { try front.service.events.subscribe(id, to: stream) }
  }

  /// Removes a stream.
  func unsubscribe(from stream: StreamName) {
    if let id { front.service.events.unsubscribe(id, from: stream) }
  }

  private func deliver(_ message: StreamMessage) {
    guard id != nil else { return }
    let waiting = self.waiting
    if waiting > front.limits.mostWaiting { return drop("\(waiting) bytes wait for it") }
    guard count(waiting) else { return drop("too many bytes wait for its client") }
    write(message)
  }

  /// Counts the bytes that the client hasn't read. Returns false if they are too many.
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
    _ = count(waiting)
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
