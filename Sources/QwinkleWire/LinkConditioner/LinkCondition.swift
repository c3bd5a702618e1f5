/// What a link to a server does to the requests that go over it. The raw value is the name by which tapes and
/// commands call it.
public enum LinkCondition: String, CaseIterable, Hashable, Sendable {
  /// Nothing.
  case off
  /// Nothing gets through, in either direction: a request waits until its time is up.
  case loss
  /// ``bytesPerSecond``, in both directions.
  case slow
  /// An answer takes ``roundTripTime`` longer, half of it on the way out and half on the way back.
  case latency
  /// Names cannot be looked up: after ``lookupTime`` the host is unknown.
  case dns
  /// Connections break before anything has been sent.
  case reset
  /// The second half of each answer's body is missing, and nothing says so.
  case truncated
  /// A connection is closed, and its answer with it whole, only ``closingTime`` after its last byte.
  case close
  /// Every answer is 429, Too Many Requests, with ``retryAfter``. Nothing reaches the server.
  case tooManyRequests = "429"
  /// The link is down and up by turns, ``flappingPeriod`` each, beginning with down. While it is down, connections are
  /// refused; what is on its way back is interrupted.
  case flapping
}

extension LinkCondition {
  /// The figure of ``slow``.
  public static let bytesPerSecond = 2000
  /// The figure of ``latency``.
  public static let roundTripTime = Duration.seconds(3)
  /// The figure of ``dns``.
  public static let lookupTime = Duration.seconds(5)
  /// The figure of ``close``.
  public static let closingTime = Duration.seconds(5)
  /// The figure of ``tooManyRequests``, in whole seconds.
  public static let retryAfter = Duration.seconds(30)
  /// The figure of ``flapping``.
  public static let flappingPeriod = Duration.seconds(5)

  /// The condition called `name`, in upper or lower case.
  ///
  /// - Throws: ``UnknownLinkCondition`` where none is called so.
  public init(named name: String) throws(UnknownLinkCondition) {
    guard let condition = LinkCondition(rawValue: name.lowercased()) else { throw UnknownLinkCondition(name: name) }
    self = condition
  }
}

/// No link condition has that name.
public struct UnknownLinkCondition: Error, Hashable, Sendable {
  /// What was asked for. Not cleaned.
  public var name: String

  public init(name: String) {
    self.name = name
  }
}
