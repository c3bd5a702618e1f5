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
  /// JSON with ``OriginTemplate/placeholder`` as the service's origin, or an id; nil for an event without data.
  var payload: [UInt8]?
  /// Whether only listeners whose token allows notifications receive it.
  var isNotification = false

  /// The message for all listeners.
  var message: StreamMessage { StreamMessage(event, payload, of: stream) }
}
