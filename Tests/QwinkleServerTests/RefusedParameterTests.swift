import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing

/// Parameters of a request are honoured or rejected, never ignored.
@Suite(.bounded) struct RefusedParameterTests {
  /// A request that must be rejected, and the parameter named in the error message.
  struct Case: Sendable, CustomTestStringConvertible {
    var method = HTTPRequest.Method.post
    var path: String
    var body: String
    var name: String

    var testDescription: String { "\(method.rawValue) \(path) \(body)" }

    /// Whether the body is JSON. Otherwise it is a form.
    var isJSON: Bool { body.hasPrefix("{") }
  }

  private static func posts(_ parameter: String, _ name: String) -> [Case] {
    [HTTPRequest.Method.post, .put].map { method in
      Case(
        method: method, path: method == .post ? "/api/v1/statuses" : "/api/v1/statuses/QWINK",
        body: parameter.hasPrefix("\"") ? "{\"status\":\"refused\",\(parameter)}" : "status=refused&\(parameter)",
        name: name)
    }
  }

  private static let ofPosts: [Case] = [
    (#""scheduled_at":"soon""#, "scheduled_at"), ("scheduled_at=1999-01-01", "scheduled_at"),
    (#""poll":{"options":["a","b"],"expires_in":3}"#, "poll"), ("poll[options][]=a&poll[expires_in]=600", "poll"),
    ("poll[options][]=a&poll[options][]=a&poll[expires_in]=600", "poll"), ("poll[options]=a&poll[options]=b", "poll"),
    (#""poll":["a","b"]"#, "poll"), (#""poll":{"options":["a","b"],"expires_in":600,"color":"red"}"#, "poll"),
    (#""media_ids":["1"]"#, "media_ids"), ("media_ids[]=1", "media_ids"), (#""quoted_status_id":"1""#, "quote"),
    (#""quoted_status_id":["1"]"#, "quoted_status_id"),
    (#""quote_approval_policy":"friends""#, "quote_approval_policy"),
    (#""visibility":["direct"]"#, "visibility"), (#""visibility":3"#, "visibility"),
    (#""visibility":{"a":"direct"}"#, "visibility"), (#""visibility":true"#, "visibility"),
    ("visibility[]=direct", "visibility"), ("visibility=direct&visibility=public", "visibility"),
    ("visibility=followers", "visibility"), (#""in_reply_to_id":["1"]"#, "in_reply_to_id"),
    (#""in_reply_to_id":true"#, "in_reply_to_id"), ("in_reply_to_id[a]=1", "in_reply_to_id"),
    (#""sensitive":"perhaps""#, "sensitive"), (#""spoiler_text":["a"]"#, "spoiler_text"),
    (#""language":"x""#, "language"),
    ("language=deutsch%20bitte", "language"), (#""federated":true"#, "federated"),
  ].flatMap(posts)

  private static let ofPeople: [Case] = [
    ("locked=perhaps", "locked"), ("source[privacy]=everybody", "source[privacy]"),
    ("source[privacy]=direct", "source[privacy]"), ("source[sensitive]=perhaps", "source[sensitive]"),
    ("source[language]=deutsch+bitte", "source[language]"), ("source=private", "source"),
    ("source[quote_policy]=friends", "source[quote_policy]"), ("discoverable=perhaps", "discoverable"),
    ("hide_collections=perhaps", "hide_collections"), ("avatar=x", "avatar"), ("header=x", "header"),
    ("attribution_domains[]=example.org", "attribution_domains"),
    (#"{"fields_attributes":["a"]}"#, "fields_attributes"),
    (#"{"fields_attributes":[{"name":1,"value":"b"}]}"#, "fields_attributes"),
    (#"{"fields_attributes":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"}]}"#, "fields"),
    (#"{"source":{"privacy":["private"]}}"#, "source[privacy]"), (#"{"display_name":["a"]}"#, "display_name"),
    (#"{"bot":"perhaps"}"#, "bot"),
  ].map { Case(method: .patch, path: "/api/v1/accounts/update_credentials", body: $0.0, name: $0.1) }

  private static let ofFollows: [Case] = [
    ("follow", "notify=perhaps", "notify"), ("follow", "reblogs[]=a", "reblogs"),
    ("follow", #"{"languages":["deutsch bitte"]}"#, "languages"), ("mute", "duration=-1", "duration"),
    ("mute", "duration=week", "duration"), ("mute", "notifications=perhaps", "notifications"),
    ("mute", "until=tomorrow", "until"), ("note", "comment[]=a", "comment"), ("note", "text=a", "text"),
  ].map { Case(path: "/api/v1/accounts/BOB/\($0.0)", body: $0.1, name: $0.2) }

  private static let ofOthers: [Case] = [
    Case(path: "/api/v1/statuses/QWINK/reblog", body: "visibility=secret", name: "visibility"),
    Case(path: "/api/v1/statuses/QWINK/reblog", body: #"{"visibility":["private"]}"#, name: "visibility"),
    Case(path: "/api/v1/statuses?visibility=direct", body: "status=refused", name: "visibility"),
    Case(path: "/api/v1/statuses?status=refused", body: "", name: "status"),
    Case(path: "/api/v1/statuses", body: "status=refused&in_reply_to_id=x", name: "post that this replies to"),
    Case(path: "/api/v1/statuses", body: "status=refused&visibility=direct", name: "@name"),
    Case(path: "/api/v1/statuses", body: "status=refused+@nobody_there&visibility=direct", name: "@name"),
    Case(
      method: .put, path: "/api/v1/statuses/QWINK", body: "status=refused&visibility=private", name: "visibility"),
    Case(method: .put, path: "/api/v1/statuses/QWINK", body: "status=refused&in_reply_to_id=7", name: "replies"),
  ]

  @Test(arguments: ofPosts + ofPeople + ofFollows + ofOthers)
  func `an unsupported parameter is rejected with an error that names it`(_ refused: Case) async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let me = try await harness.get("/api/v1/accounts/verify_credentials", token: bob)
      let qwink = try await harness.post("kept", token: alice)
      let before = try await harness.get("/api/v1/accounts/verify_credentials", token: alice)
      let answer = try await harness.send(
        refused.method,
        refused.path.replacing("QWINK", with: qwink.id.rawValue)
          .replacing("BOB", with: try WireDecoder.qwinker(from: me.body).id.rawValue),
        token: alice,
        headers: [.contentType: refused.isJSON ? "application/json" : "application/x-www-form-urlencoded"],
        body: Array(refused.body.utf8))
      #expect(answer.head.status == .unprocessableContent)
      #expect(answer.errorMessage?.contains(refused.name) == true, "\(answer.text)")
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items == [qwink])
      #expect(try await harness.get("/api/v1/accounts/verify_credentials", token: alice).text == before.text)
    }
  }

  @Test(arguments: Front.allCases)
  func `parameters with a default or empty value are accepted`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let me = try await harness.get("/api/v1/accounts/verify_credentials", token: bob)
      let id = try WireDecoder.qwinker(from: me.body).id
      for (method, path, body) in [
        (.post, "statuses", #"{"status":"a","poll":null,"media_ids":[],"scheduled_at":"","in_reply_to_id":null}"#),
        (.post, "statuses", "status=b&poll[options][]=&media_ids[]=&scheduled_at=&in_reply_to_id=&visibility="),
        (.post, "accounts/\(id)/follow", "reblogs=true&notify=0"),
        (.patch, "accounts/update_credentials", "locked=false&discoverable=true&source[privacy]=public&avatar="),
      ] as [(HTTPRequest.Method, String, String)] {
        let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        let answer = try await harness.send(
          method, "/api/v1/\(path)", token: alice, headers: [.contentType: type], body: Array(body.utf8))
        #expect(answer.head.status == .ok, "\(path): \(answer.text)")
      }
    }
  }

  @Test(arguments: Front.allCases)
  func `a qwink can be sensitive without a warning and an edit can change that`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let answer = try await harness.send(Entry(text: "a", isSensitive: true, idempotencyKey: "1"), token: alice)
      let qwink = try WireDecoder.qwink(from: answer.body)
      #expect(qwink.isSensitive && qwink.contentWarning.isEmpty)
      #expect(try await harness.qwink("/api/v1/statuses/\(qwink.id)").isSensitive)
      #expect(try await !harness.edit(qwink.id, "a", token: alice).isSensitive)
      #expect(try await harness.edit(qwink.id, "a", warning: "w", token: alice).isSensitive)
      let history = try await harness.get("/api/v1/statuses/\(qwink.id)/history")
      #expect(try WireDecoder.versions(from: history.body).map(\.isSensitive) == [true, false, true])
    }
  }
}
