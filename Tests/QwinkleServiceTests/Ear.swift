import QwinkleModel

@testable import QwinkleService

/// Records the events of a ``StreamingService`` as strings.
@MainActor
final class Ear: StreamingServiceDelegate {
  var heard: [String] = []

  func streamingService(_ service: StreamingService, didOpen stream: StreamName) {
    heard.append("open \(stream.word)")
  }

  func streamingService(_ service: StreamingService, didClose stream: StreamName) {
    heard.append("closed \(stream.word)")
  }

  func streamingService(_ service: StreamingService, mayHaveMissedEventsOf stream: StreamName) {
    heard.append("missed \(stream.word)")
  }

  func streamingService(
    _ service: StreamingService, didReceive events: [StreamEvent], of stream: StreamName
  ) {
    for case .deleted(let id) in events { heard.append("\(stream.word) \(id)") }
  }
}
