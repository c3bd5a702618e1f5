import QwinkleModel
import Testing

@testable import QwinkleWire

/// Stream events, received as server-sent events or over a WebSocket.
@Suite struct StreamFrameTests {
  private static let status = #"{"id":"7","account":{"id":"1","acct":"ann"},"content":"<p>Tea</p>"}"#

  @Test func `server-sent events may be split at any byte`() {
    let text =
      ":thump\n\nevent: update\ndata: \(Self.status)\n\n:thump\r\n\r\nevent: delete\r\ndata: 7\r\n\r\n"
      + "event: filters_changed\ndata\n\nevent: x\ndata: one\ndata: two\n\n"
    let bytes = Array(text.utf8)
    var whole = EventLines()
    let expected = whole.take(bytes)
    #expect(expected.map(\.name) == ["update", "delete", "filters_changed", "x"])
    #expect(expected.last?.data == Array("one\ntwo".utf8))
    for cut in 0...bytes.count {
      var lines = EventLines()
      #expect(lines.take(bytes[..<cut]) + lines.take(bytes[cut...]) == expected, "cut at \(cut)")
    }
  }

  @Test func `an event that is too long is skipped and the next one is read`() {
    var lines = EventLines()
    let long = Array("event: update\ndata: ".utf8) + Array(repeating: 65, count: EventLines.mostBytes + 9)
    #expect(lines.take(long + Array("\n\nevent: delete\ndata: 1\n\n".utf8)).map(\.name) == ["delete"])
  }

  @Test func `each event is decoded by its name`() {
    func event(_ name: String, _ payload: String) -> StreamEvent? {
      WireDecoder.streamEvent(named: name, payload: Array(payload.utf8))
    }
    guard case .posted(let qwink, let source) = event("update", Self.status) else {
      Issue.record("no qwink")
      return
    }
    #expect(qwink.id == "7" && source == Array(Self.status.utf8))
    let conversation = #"{"id":"4","accounts":[],"unread":false,"last_status":\#(Self.status)}"#
    guard case .conversation(let chat, let chatSource) = event("conversation", conversation) else {
      Issue.record("no conversation")
      return
    }
    #expect(chat.id == "4" && chatSource == Array(conversation.utf8))
    let follow =
      #"{"id":"5","type":"follow","created_at":"2026-01-01T00:00:00Z","account":{"id":"1","username":"a","acct":"a"}}"#
    guard case .notified(let notification, let noticeSource) = event("notification", follow) else {
      Issue.record("no notification")
      return
    }
    #expect(notification.id == "5" && noticeSource == Array(follow.utf8))
    #expect(event("delete", "7") == .deleted("7"))
    #expect(event("filters_changed", "") == .filtersChanged)
    #expect(event("notifications_merged", "1") == .notificationsMerged)
    for broken in ["", "{", "[]", "null", #"{"id":7}"#, String(Self.status.dropLast(9))] {
      #expect(event("update", broken) == nil, "\(broken)")
      #expect(event("notification", broken) == nil, "\(broken)")
    }
    #expect(event("delete", "") == nil)
    #expect(event("announcement.reaction", Self.status) == nil)
  }

  @Test func `escape codes are removed from an event's text`() {
    let hostile = Self.status.replacing("Tea", with: #"\u001b[2JTea&#27;]0;x&#7;"#)
    guard case .posted(let qwink, _) = WireDecoder.streamEvent(named: "update", payload: Array(hostile.utf8)) else {
      Issue.record("no qwink")
      return
    }
    #expect(!qwink.text.plainText.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test func `complete WebSocket frames are decoded and truncated ones are ignored`() {
    let text = #"{"stream":["hashtag","Tea"],"event":"delete","payload":"12"}"#
    let bytes = Array(text.utf8)
    #expect(
      WireDecoder.streamFrame(from: bytes) == .event(stream: .tag("tea"), name: "delete", payload: Array("12".utf8)))
    for cut in 0..<bytes.count { #expect(WireDecoder.streamFrame(from: Array(bytes[..<cut])) == nil, "cut at \(cut)") }
    #expect(
      WireDecoder.streamFrame(from: Array(#"{"error":"Unknown\u001b stream"}"#.utf8)) == .refusal("Unknown stream"))
    #expect(
      WireDecoder.streamFrame(from: Array(#"{"stream":["user"],"event":"delete","payload":12}"#.utf8))
        == .event(stream: .user, name: "delete", payload: Array("12".utf8)))
  }

  @Test func `a Pleroma response is a refusal if the subscription failed`() {
    func frame(_ answer: String) -> StreamFrame? {
      let payload = answer.replacing("\"", with: "\\\"")
      return WireDecoder.streamFrame(from: Array(#"{"event":"pleroma:respond","payload":"\#(payload)"}"#.utf8))
    }
    #expect(frame(#"{"type":"subscribe","result":"error","error":"bad_topic"}"#) == .refusal("bad_topic"))
    #expect(
      frame(#"{"type":"subscribe","result":"error","error":"unauthorized"}"#) == .refusal(StreamFrame.unauthorized))
    for answer in [
      #"{"type":"subscribe","result":"success"}"#, #"{"type":"subscribe","result":"ignored"}"#,
      #"{"type":"unsubscribe","result":"error","error":"bad_topic"}"#, "{", "",
    ] {
      #expect(
        frame(answer) == .event(stream: nil, name: "pleroma:respond", payload: Array(answer.utf8)), "\(answer)")
    }
  }

  @Test func `a subscription request names its stream and tag`() {
    #expect(
      String(decoding: WireEncoder.streamWish(.tag("tea"), isOn: true), as: UTF8.self)
        == #"{"type":"subscribe","stream":"hashtag","tag":"tea"}"#)
  }
}
