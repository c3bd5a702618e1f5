/// The effect of a simulated link on requests. The raw value is its name in tapes and commands.
public enum LinkCondition: String, CaseIterable, Hashable, Sendable {
  /// Requests are unaffected.
  case off
  /// Nothing gets through in either direction: requests time out.
  case loss
  /// Both directions are limited to ``bytesPerSecond``.
  case slow
  /// Each exchange takes ``roundTripTime`` longer, half of it in each direction.
  case latency
  /// Host names can't be resolved: each lookup fails after ``lookupTime``.
  case dns
  /// Connections break before anything is sent.
  case reset
  /// The second half of each response body is missing, without an error.
  case truncated
  /// The server closes the connection ``closingTime`` after the last byte. The client can't know earlier that the
  /// response is complete.
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
  /// Duration of each state of ``flapping``.
  public static let flappingPeriod = Duration.seconds(5)

  /// Creates the condition called `name`. Case is ignored.
  ///
  /// - Throws: ``UnknownLinkCondition`` if no condition has this name.
  public init(named name: String) throws(UnknownLinkCondition) {
    guard let condition = LinkCondition(rawValue: name.lowercased()) else { throw UnknownLinkCondition(name: name) }
    self = condition
  }
}

/// No link condition has that name.
public struct UnknownLinkCondition: Error, Hashable, Sendable {
  /// The requested name, not sanitized.
  public var name: String
}
