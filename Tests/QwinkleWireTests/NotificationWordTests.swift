import QwinkleModel
import QwinkleWire
import Testing

/// What the API calls types of notifications.
@Suite struct NotificationWordTests {
  @Test(arguments: NotificationType.allCases)
  func `what is asked for by a type is of that type alone`(type: NotificationType) throws {
    let words = WireEncoder.words(of: type)
    #expect(!words.isEmpty && Set(words).count == words.count)
    for word in words {
      let body = #"{"id":"1","type":"\#(word)","emoji":"x","account":{"id":"7","acct":"al"}}"#
      let kind = try WireDecoder.notification(from: Array(body.utf8)).kind
      #expect(NotificationType.allCases.filter { $0.holds(for: kind) } == [type], "\(word)")
    }
  }
}
