/// An event with the facts that decide who receives it.
struct StreamItem: Sendable {
  var event: ServiceEvent
  /// The facts of the event's status, if it is about one.
  var facts: StatusFacts?
  /// Listening accounts whose own timelines may have the status.
  var readers: [Int64] = []
}

/// A message for the listeners of a stream.
struct StreamPost: Sendable {
  var stream: StreamName
  var event: String
  /// JSON or an id; nil if the event is all of it.
  var payload: OriginTemplate?
  /// Whether only listeners whose token allows notifications receive it.
  var isNotification = false

  /// The message as a client receives it.
  func message(for origin: Origin) -> StreamMessage { StreamMessage(event, payload?.bytes(for: origin), of: stream) }
}
