/// Limits of a connection.
public struct FrontLimits: Sendable {
  /// The longest request line and header, in bytes.
  static let mostHeadBytes = 32 << 10

  /// The longest body that is read before the sender is authenticated, in bytes.
  static let maxBodyBytesBeforeSignIn = 16 << 10
  /// The most bytes read from a connection at once. Small, because even a few kilobytes of pipelined requests decode
  /// into many objects.
  static let mostReadBytes = 8 << 10

  /// Maximum time for which a connection waits for the next request.
  var idle = Duration.seconds(60)
  /// Time from the first byte of a request to the end of its header.
  var head = Duration.seconds(20)
  /// Time for receiving a request's body or sending a response, in addition to the time for its bytes.
  var grace = Duration.seconds(20)
  /// Lowest accepted transfer rate, in bytes a second.
  var slowest = 2048
  /// Size of the system's send buffer for a connection, in bytes.
  var sendBuffer = 256 << 10
  /// The most unsent bytes of a stream. A client that reads so slowly that more bytes are unsent is disconnected.
  var mostWaiting = 128 << 10
  /// Interval of keep-alive messages on a stream. Each one also checks whether the client is still reading.
  var beat = Duration.seconds(15)
  /// Time a connection stays half-closed after its last response, so that the client can read all of it.
  var linger = Duration.seconds(2)

  public init() {}

  /// Returns the time allowed for transferring `bytes` bytes.
  func time(for bytes: Int) -> Duration { grace + .milliseconds(bytes * 1000 / max(1, slowest)) }
}
