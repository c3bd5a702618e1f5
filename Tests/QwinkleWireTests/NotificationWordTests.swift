import QwinkleModel
import QwinkleWire
import Testing

/// The API's names of notification types.
@Suite struct NotificationWordTests {
  @Test(arguments: NotificationType.allCases)
  func `each API name selects only its own notification type`(type: NotificationType) throws {
    let words = WireEncoder.words(of: type)
    #expect(!words.isEmpty && Set(words).count == words.count)
    for word in words {
      let body = #"{"id":"1","type":"\#(word)","emoji":"x","account":{"id":"7","acct":"al"}}"#
      let kind = try WireDecoder.notification(from: Array(body.utf8)).kind
      #expect(NotificationType.allCases.filter { $0.holds(for: kind) } == [type], "\(word)")
    }
  }
}
