/// An event with the facts that decide which listeners receive it.
struct StreamItem: Sendable {
  var event: ServiceEvent
  /// The facts of the event's status, if it is about a status.
  var facts: StatusFacts?
  /// Listening accounts whose home or list timelines may contain the status.
  var readers: [Int64] = []
}

/// A message for the listeners of a stream.
struct StreamPost: Sendable {
  var stream: StreamChannel
  var message: StreamMessage
  /// Whether the message is sent only to listeners whose token allows notifications.
  var isNotification = false

  init(stream: StreamChannel, message: StreamMessage) {
    self.stream = stream
    self.message = message
  }

  /// Creates a message for one account. `payload` is JSON with ``BaseURLTemplate/placeholder`` as the service's origin,
  /// or an id. Nil for an event without data.
  init(stream: StreamChannel, event: String, payload: [UInt8]? = nil, isNotification: Bool = false) {
    self.init(stream: stream, message: StreamMessage(event, payload, of: stream))
    self.isNotification = isNotification
  }
}
