import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleReplay

@Suite(.bounded) struct CassettePrivateTests {
  private static let status = """
    {"id":"01M7","created_at":"2026-11-21T01:52:35.981Z","visibility":"direct","language":"en","spoiler_text":"Canary warns",
    "uri":"https://tilde.example/users/bob/statuses/01M7","url":"https://tilde.example/@bob/01M7","replies_count":2,
    "content":"<p><span class=\\"h-card\\"><a href=\\"https://tilde.example/@al\\" class=\\"u-url mention\\">@<span>al</span>\
    </a></span> Canary sings &#99;anary <a href=\\"https://nest.example/canary?x=Canary\\"><span class=\\"invisible\\">\
    https://</span>nest.example/canary</a> <a href=\\"https://tilde.example/tags/canary\\" class=\\"mention hashtag\\">\
    #<span>canary</span></a><canary>&canary;</p>","text":"Canary sings",
    "account":{"id":"7","username":"bob","acct":"bob@b.example","display_name":"Canary Bob","note":"<p>canary</p>",
    "url":"https://b.example/@bob","avatar":"https://b.example/a.png","fields":[{"name":"canary","value":"canary"}],
    "source":{"privacy":"direct","note":"canary","fields":[{"name":"x","value":"canary"}]}},
    "card":{"url":"https://x.example/canary","title":"Canary","description":"canary","html":"canary","type":"link"},
    "media_attachments":[{"id":"3","type":"image","url":"https://m.example/canary.png","description":"canary",
    "blurhash":"canary"}],"poll":{"id":"4","options":[{"title":"canary","votes_count":1}]},
    "tags":[{"name":"canary","url":"https://tilde.example/tags/canary"}],
    "mentions":[{"id":"8","username":"al","acct":"al","url":"https://tilde.example/@al"}],
    "pleroma":{"content":{"text/plain":"canary"}},"canary canary":1,"in_reply_to_id":"canary in an id"}
    """

  private static func recorded(
    _ request: TransportRequest, _ answer: TransportResponse
  ) async throws -> (cassette: Cassette, bytes: String) {
    let recorder = RecordingTransport(
      AnsweringTransport { _ in .success(answer) }, clock: VirtualClock(), isPrivate: true)
    _ = try await recorder.send(request)
    return (recorder.cassette, try everyByte(of: recorder.cassette))
  }

  @Test func `a private cassette contains no text written by people`() async throws {
    let answers: [TransportResponse] = [
      .with(Self.status), .with("[\(Self.status)]"), .with("{\"last_status\":\(Self.status)}"),
      .with(String(Self.status.prefix(700))), .with("canary", type: "text/plain"),
      .with("{\"content\": canary, canary: [canary]}"), .with("<p>canary</p>", type: "text/html"),
      .with("{\"error\":\"canary is too long\"}", status: 422), .with("{}", fields: [("X-Note", "canary")]),
      .with("{\"payload\":\"{\\\"content\\\":\\\"canary\\\"}\"}"),
      TransportResponse(head: HTTPResponse(status: .ok), body: [0xFF] + Array("canary".utf8)),
      .with("", fields: [("Link", "<https://tilde.example/search?q=canary>; rel=\"next\"")]),
    ]
    for answer in answers {
      let bytes = try await Self.recorded(.to("/"), answer).bytes
      #expect(bytes.contains("\"response\"") && !bytes.lowercased().contains("canary"), "\(bytes)")
      #expect(!bytes.contains("anary"), "\(bytes)")
    }
    let parts =
      "--b\r\nContent-Disposition: form-data; name=\"status\"\r\n\r\ncanary\r\n--b\r\n"
      + "Content-Disposition: form-data; name=\"file\"; filename=\"canary.png\"\r\n\r\n\u{1}canary\r\n--b--\r\n"
    let requests: [TransportRequest] = [
      .to("/p", .post, body: "status=canary+sings&visibility=direct", type: TransportRequest.formType),
      .to("/p", .post, body: "{\"status\":\"canary\",\"spoiler_text\":\"canary\"}", type: TransportRequest.jsonType),
      .to("/p", .post, body: parts, type: "multipart/form-data; boundary=b"), .to("/p", .post, body: "canary"),
      .to("/api/v2/search?q=canary&limit=5"), .to("/api/v1/timelines/tag/canary?limit=5"), .to("/s?canary"),
      .to("/p", .put, body: "canary=1&poll%5Boptions%5D%5B%5D=canary", type: TransportRequest.formType),
    ]
    for (index, request) in requests.enumerated() {
      let bytes = try await Self.recorded(request, .with("{}")).bytes
      // A field's name isn't text written by a person.
      let isAboutName = index == requests.count - 1
      #expect(bytes.contains("\"request\""), "\(bytes)")
      #expect(!bytes.replacing(isAboutName ? "canary=0" : "-", with: "").contains("canary"), "\(bytes)")
    }
  }

  @Test func `ids, times and structure are preserved`() async throws {
    let request = TransportRequest.to(
      "/api/v1/statuses", .post, body: "status=Well+met&visibility=direct&in_reply_to_id=01M6",
      type: TransportRequest.formType)
    let entry = try #require(
      try await Self.recorded(request, .with(Self.status)).cassette.entries.first)
    #expect(
      String(decoding: entry.request.body?.bytes ?? [], as: UTF8.self)
        == "status=Lore%20lor&visibility=direct&in_reply_to_id=01M6")
    let before = try WireDecoder.qwink(from: Array(Self.status.utf8))
    let after = try WireDecoder.qwink(from: entry.response.body.bytes)
    #expect(after.id == before.id && after.createdAt == before.createdAt && after.visibility == .direct)
    #expect(after.url == before.url && after.author.handle == before.author.handle)
    #expect(after.mentions == before.mentions && after.attachments.count == 1 && after.poll?.id == before.poll?.id)
    #expect(after.author.displayName == "Loremi Lor" && after.contentWarning == "Loremi lorem")
    let words = after.text.plainText
    #expect(words.hasPrefix("@al Loremi lorem loremi"), "\(words)")
    #expect(words.contains("#loremi"))
    #expect(after.tags == ["loremi"])
  }

  @Test(arguments: [
    ("Hello, world!", "Lorem, lorem!"), ("it's 20:15", "lo'l 00:00"), ("ÉTÉ été", "LOR lor"),
    ("世界 мир שלום", "文文 ооо אאאא"),
    ("a\r\n\tb", "l\r\n\tl"), ("🌷👩‍🚀 ok", "🙂🙂 lo"), ("x.\u{301}y", "l?l"), ("\u{202E}abc", "\u{202E}lor"),
    ("", ""), ("https://nest.example/a1?q=b", "https://lore.loremip/l0?l=l"), ("h http", "l lore"),
  ])
  func `replaced words have the same shape`(text: String, expected: String) {
    #expect(PrivateHTML.replacing(text) == expected)
    #expect(PrivateHTML.replacing(expected) == expected)
  }

  @Test(arguments: [
    ("<p>Well &amp; good<br/>I &lt;3 you</p>", "<p>Lore &amp; lore<br/>L &lt;0 lor</p>"),
    ("<secret attr='x'>a</secret>", "<loremi>l</loremi>"), ("a < b > c", "l < l > l"),
    ("a <b unclosed", "l <l loremips"),
    ("<!-- secret -->ok", "lo"), ("&#115;&#x65;", "lo"),
    (
      "<a href=\"https://x.example/secret\" onclick=\"secret\" title=\"a secret\">it</a>",
      "<a href=\"https://l.loremip/loremi\" title=\"l loremi\">lo</a>"
    ),
    (
      "<a class=\"mention\" href=\"https://x.example/@al\">a secret</a>",
      "<a class=\"mention\" href=\"https://l.loremip/@lo\">l loremi</a>"
    ),
    (
      "<a class=\"u-url mention secret\" href=\"https://x.example/@al\">@<span>al</span></a>!",
      "<a class=\"u-url mention\" href=\"https://x.example/@al\">@<span>al</span></a>!"
    ),
  ])
  func `HTML structure is preserved and text is replaced`(html: String, expected: String) {
    #expect(PrivateHTML.replacing(html) == expected)
    #expect(PrivateHTML.replacing(expected) == expected)
  }

  @Test func `the beginning of a text becomes the beginning of its replacement`() {
    let text = "Search for 42 tulips"
    let whole = PrivateWords.replacing(text)
    for length in 0...text.count {
      #expect(whole.hasPrefix(PrivateWords.replacing(String(text.prefix(length)))))
    }
  }

  @Test func `a private cassette matches other words of the same shape`() async throws {
    let recorder = RecordingTransport(
      AnsweringTransport { _ in .success(.with(Self.status)) }, clock: VirtualClock(), isPrivate: true)
    func request(_ text: String) -> TransportRequest {
      .to("/api/v1/statuses", .post, body: "{\"status\":\"\(text)\"}", type: TransportRequest.jsonType)
    }
    _ = try await recorder.send(request("See you at 8"))
    for text in ["See you at 8", "Lor lor lo 0", "Let her be 9"] {
      let replay = CassetteTransport(try Cassette(har: recorder.cassette.har()))
      #expect(try await replay.send(request(text)).head.status == .ok)
    }
    let replay = CassetteTransport(recorder.cassette)
    await #expect(throws: TransportError.self) { try await replay.send(request("See you at ten")) }
  }

  @Test func `responses of real servers still decode after replacement`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures")
    let servers = ["gotosocial", "snac"]
    var compared = 0
    for server in servers {
      for file in ["timelines_home.json", "conversations_alice.json", "notifications_alice.json", "status_a1.json"] {
        guard let data = try? Data(contentsOf: root.appending(path: "\(server)/\(file)")) else { continue }
        var scrubber = Scrubber(isPrivate: true)
        let body = Cassette.Body(mimeType: "application/json", bytes: Array(data))
        let entry = scrubber.scrubbed(
          Cassette.Entry(
            startedDateTime: "", time: 0, request: Cassette.Request(method: "GET", url: "https://a.example/"),
            response: Cassette.Response(status: 200, body: body)))
        let other = entry.response.body.bytes
        #expect(scrubber.secrets.isEmpty)
        switch file {
        case "timelines_home.json": Self.expectAlike(try Self.rows(body.bytes), try Self.rows(other))
        case "conversations_alice.json":
          let (before, after) = (try Self.conversations(body.bytes), try Self.conversations(other))
          #expect(before.map(\.id) == after.map(\.id))
          #expect(before.map { $0.participants.map(\.handle) } == after.map { $0.participants.map(\.handle) })
          Self.expectAlike(before.compactMap(\.lastQwink), after.compactMap(\.lastQwink))
        case "notifications_alice.json":
          let before = try WireDecoder.notifications(from: body.bytes, link: nil).items
          let after = try WireDecoder.notifications(from: other, link: nil).items
          #expect(before.map(\.id) == after.map(\.id) && before.map(\.kind) == after.map(\.kind))
        default: Self.expectAlike([try WireDecoder.qwink(from: body.bytes)], [try WireDecoder.qwink(from: other)])
        }
        compared += 1
      }
    }
    #expect(compared >= 6)
  }

  private static func rows(_ body: [UInt8]) throws -> [Qwink] {
    try WireDecoder.qwinks(from: body, link: nil).items
  }

  private static func conversations(_ body: [UInt8]) throws -> [Conversation] {
    try WireDecoder.conversations(from: body, link: nil).items
  }

  private static func expectAlike(_ before: [Qwink], _ after: [Qwink]) {
    #expect(before.map(\.id) == after.map(\.id))
    for (before, after) in zip(before, after) {
      #expect(before.createdAt == after.createdAt && before.visibility == after.visibility && before.url == after.url)
      #expect(before.author.handle == after.author.handle && before.mentions == after.mentions)
      #expect(before.text.plainText.count == after.text.plainText.count, "\(before.text.plainText)")
      let words = before.text.plainText.split { !$0.isLetter }.filter { $0.count > 4 }
      let names = before.mentions.map(\.handle).joined(separator: " ")
      for word in words where !names.contains(word) { #expect(!after.text.plainText.contains(word)) }
    }
  }
}
