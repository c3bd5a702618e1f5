public import QwinkleModel

/// Receives the events of a server's streams. The service holds delegates weakly, and closes a stream that has none.
@MainActor
public protocol StreamingServiceDelegate: AnyObject {
  /// Called when a stream opens. Fetch earlier events only after this call, so that none is missed in between.
  func streamingService(_ service: StreamingService, didOpen stream: StreamName)

  /// Called with new events, in the server's order.
  func streamingService(_ service: StreamingService, didReceive events: [StreamEvent], of stream: StreamName)

  /// Called when the stream may have skipped events.
  func streamingService(_ service: StreamingService, mayHaveMissedEventsOf stream: StreamName)

  /// Called when the connection breaks, the server refuses the stream, or the service closes it, for example because
  /// another account is used. Use polling until the stream opens again.
  func streamingService(_ service: StreamingService, didClose stream: StreamName)
}
