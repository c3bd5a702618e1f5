public import QwinkleModel

/// Hears what a server's streams tell. All methods are optional. Held weakly: a stream ends when its delegates are
/// gone.
@MainActor
public protocol StreamingServiceDelegate: AnyObject {
  /// The server streams from now on. What happened before has to be fetched, by requests made after this.
  func streamingService(_ service: StreamingService, didOpen stream: StreamName)

  /// In the server's order.
  func streamingService(_ service: StreamingService, didReceive events: [StreamEvent], of stream: StreamName)

  /// Something may have happened that the stream has not told.
  func streamingService(_ service: StreamingService, mayHaveMissedEventsOf stream: StreamName)

  /// The connection broke, or the server refuses the stream: until it opens again, others ways to ask must do.
  func streamingService(_ service: StreamingService, didClose stream: StreamName)
}

extension StreamingServiceDelegate {
  public func streamingService(_ service: StreamingService, didOpen stream: StreamName) {}
  public func streamingService(
    _ service: StreamingService, didReceive events: [StreamEvent], of stream: StreamName
  ) {}
  public func streamingService(_ service: StreamingService, mayHaveMissedEventsOf stream: StreamName) {}
  public func streamingService(_ service: StreamingService, didClose stream: StreamName) {}
}
