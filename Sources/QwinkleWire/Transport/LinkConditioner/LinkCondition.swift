/// What a simulated link does to requests. The raw value is its name in tapes and commands.
public enum LinkCondition: String, CaseIterable, Hashable, Sendable {
  /// Leaves requests alone.
  case off
  /// Nothing gets through in either direction: requests time out.
  case loss
  /// ``bytesPerSecond``, in both directions.
  case slow
  /// A response takes ``roundTripTime`` longer, half of it on the way out and half on the way back.
  case latency
  /// Names cannot be looked up: after ``lookupTime`` the host is unknown.
  case dns
  /// Connections break before anything is sent.
  case reset
  /// The second half of each response body is missing, without an error.
  case truncated
  /// The server closes the connection, which completes the response, only ``closingTime`` after the last byte.
  case close
  /// Every response is 429 Too Many Requests with ``retryAfter``. Nothing reaches the server.
  case tooManyRequests = "429"
  /// The link alternates between down and up, ``flappingPeriod`` each, starting with down. While it is down,
  /// connections are refused and responses interrupted.
  case flapping
}

extension LinkCondition {
  /// The rate of ``slow``.
  public static let bytesPerSecond = 2000
  /// The delay of ``latency``.
  public static let roundTripTime = Duration.seconds(3)
  /// The delay of ``dns``.
  public static let lookupTime = Duration.seconds(5)
  /// The delay of ``close``.
  public static let closingTime = Duration.seconds(5)
  /// The `Retry-After` of ``tooManyRequests``, in whole seconds.
  public static let retryAfter = Duration.seconds(30)
  /// How long each state of ``flapping`` lasts.
  public static let flappingPeriod = Duration.seconds(5)

  /// The condition called `name`, in upper or lower case.
  ///
  /// - Throws: ``UnknownLinkCondition`` if there is none.
  public init(named name: String) throws(UnknownLinkCondition) {
    guard let condition = LinkCondition(rawValue: name.lowercased()) else { throw UnknownLinkCondition(name: name) }
    self = condition
  }
}

/// No link condition has that name.
public struct UnknownLinkCondition: Error, Hashable, Sendable {
  /// The name asked for. Not cleaned.
  public var name: String

  public init(name: String) {
    self.name = name
  }
}
