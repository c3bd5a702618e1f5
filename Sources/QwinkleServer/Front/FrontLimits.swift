/// What the HTTP front grants its clients.
struct FrontLimits: Sendable {
  /// The longest request line and header, in bytes.
  static let mostHeadBytes = 32 << 10

  /// The longest body that is read before its sender is authenticated, in bytes.
  static let maxBodyBytesBeforeSignIn = 16 << 10
  /// The most bytes that are read from a connection at once. A few more of pipelined requests become many objects.
  static let mostReadBytes = 8 << 10

  /// How long a connection may wait for the next request.
  var idle = Duration.seconds(60)
  /// From the first byte of a request to the end of its header.
  var head = Duration.seconds(20)
  /// The time for a request's body, or for taking a response, beside that for its bytes.
  var grace = Duration.seconds(20)
  /// The speed of the slowest client, in bytes a second.
  var slowest = 2048
  /// The bytes of responses that the system keeps for one connection, about.
  var sendBuffer = 256 << 10
  /// The most bytes that wait for a stream's reader.
  var mostWaiting = 128 << 10
  /// How often a stream without events shows that it lives, and looks whether its reader does.
  var beat = Duration.seconds(15)
  /// How long an ending connection waits for the client to end it too, so that the client can read all of the response.
  var linger = Duration.seconds(2)

  /// How long a client may take for so many bytes.
  func time(for bytes: Int) -> Duration { grace + .milliseconds(bytes * 1000 / max(1, slowest)) }
}
