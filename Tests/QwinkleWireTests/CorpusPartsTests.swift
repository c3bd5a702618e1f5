import Foundation
import QwinkleModel
import QwinkleWire
import Testing

/// Contents of other recorded responses: the frames of a stream, a response wrapped in a JSON value, and accounts and
/// qwinks in responses that the client never requests.
@Suite struct CorpusPartsTests {
  @Test func `every frame of a recorded stream is an event of its stream`() throws {
    let corpus = try #require(Corpus.named("gotosocial"))
    let body = try Data(contentsOf: corpus.folder.appending(path: "stream_user_events.json"))
    let frames = try #require(try JSONSerialization.jsonObject(with: body) as? [Any])
    var events: [String: Int] = [:]
    for frame in frames {
      let bytes = Array(try JSONSerialization.data(withJSONObject: frame))
      guard case .event(let stream, let name, let payload) = WireDecoder.streamFrame(from: bytes) else {
        Issue.record("no event: \(frame)")
        continue
      }
      #expect(stream == .user || stream == .public)
      #expect(WireDecoder.streamEvent(named: name, payload: payload) != nil, "\(name)")
      events[name, default: 0] += 1
    }
    #expect(events == ["update": 3, "status.update": 2, "delete": 1, "notification": 2])
  }

  @Test func `a recorded refusal of a long text states the limit`() throws {
    let corpus = try #require(Corpus.named("gotosocial"))
    let body = try Data(contentsOf: corpus.folder.appending(path: "post_toolong.json"))
    let recorded = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    let answer = Array(try #require(recorded["text"] as? String).utf8)
    #expect(WireDecoder.errorMessage(from: answer)?.contains("5000") == true)
  }

  @Test func `accounts and qwinks are read in responses that the client never requests`() throws {
    var found = (people: 0, qwinks: 0)
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() where kind == .unasked {
        try Self.visit(JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed)) { entity in
          let bytes = Array(try JSONSerialization.data(withJSONObject: entity))
          if entity["content"] is String, entity["account"] is [String: Any] {
            #expect(throws: Never.self, "\(corpus.server) \(answer.file)") { try WireDecoder.qwink(from: bytes) }
            found.qwinks += 1
          } else if entity["acct"] is String, entity["username"] is String {
            #expect(throws: Never.self, "\(corpus.server) \(answer.file)") { try WireDecoder.qwinker(from: bytes) }
            found.people += 1
          }
        }
      }
    }
    print("in answers to no request of the client's: \(found.people) people, \(found.qwinks) qwinks")
    #expect(!Corpus.isWhole || (found.people > 0 && found.qwinks > 0))
  }

  /// Calls `look` with every object of `value`, at any depth.
  private static func visit(_ value: Any, _ look: ([String: Any]) throws -> Void) throws {
    if let list = value as? [Any] { for item in list { try visit(item, look) } }
    guard let object = value as? [String: Any] else { return }
    try look(object)
    for member in object.values { try visit(member, look) }
  }
}
