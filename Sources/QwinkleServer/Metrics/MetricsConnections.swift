import NIOCore
import Synchronization

/// Limits of ``MetricsFront``.
struct MetricsLimits: Sendable {
  var mostConnections = 16
  /// Time from the start of a connection to its end.
  var time = Duration.seconds(10)
  /// Longest request, in bytes.
  var mostHeadBytes = 8 << 10
  /// The most bytes that are read and dropped after the request, so that the client can receive the whole response.
  var mostDroppedBytes = 64 << 10
}

/// The open connections of ``MetricsFront``. Beyond the limit, each new connection closes the oldest one: a scrape
/// takes milliseconds, so the oldest connection is idle.
final class MetricsConnections: Sendable {
  private let most: Int
  private let channels = Mutex<[any Channel]>([])

  init(most: Int) {
    self.most = most
  }

  func add(_ channel: any Channel) {
    let oldest = channels.withLock { channels in
      channels.append(channel)
      return channels.count > most ? channels.removeFirst() : nil
    }
    oldest?.close(promise: nil)
    channel.closeFuture.whenComplete { [weak self] _ in self?.remove(channel) }
  }

  private func remove(_ channel: any Channel) {
    channels.withLock { $0.removeAll { $0 === channel } }
  }

  func closeAll() {
    for channel in channels.withLock({ $0 }) { channel.close(promise: nil) }
  }
}
