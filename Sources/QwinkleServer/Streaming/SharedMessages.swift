import QwinkleModel
import QwinkleWire
import Synchronization

/// The messages about qwinks that are being sent. Most accounts get the same content, apart from their own favourites,
/// filters and the like, so it is encoded once for all of them.
final class SharedMessages: Sendable {
  private struct Known {
    let event: String
    let qwink: Qwink
    let payload: [UInt8]
    var messages: [StreamChannel: StreamMessage] = [:]
  }

  /// Variants remembered: of one qwink, or of several sent together.
  private static let mostKnown = 16

  /// The latest variant last.
  private let known = Mutex<[Known]>([])

  /// Returns the message that reports `event` about `qwink`, as one account sees it, to the listeners of `stream`.
  func message(_ event: String, about qwink: Qwink, of stream: StreamChannel) -> StreamMessage {
    known.withLock { known in
      var index = known.lastIndex { $0.qwink.id == qwink.id && $0.event == event && $0.qwink == qwink }
      if index == nil {
        if known.count == Self.mostKnown { known.removeFirst() }
        known.append(Known(event: event, qwink: qwink, payload: WireEncoder.qwink(qwink)))
        index = known.count - 1
      }
      let place = index ?? 0
      if let message = known[place].messages[stream] { return message }
      let message = StreamMessage(event, known[place].payload, of: stream)
      known[place].messages[stream] = message
      return message
    }
  }
}
