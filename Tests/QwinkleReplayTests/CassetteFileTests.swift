import FoundationEssentials
@testable import QwinkleReplay
import QwinkleWire
import Testing
import Timekeeping

@Suite struct CassetteFileTests {
  @Test func `a cassette is unchanged after it is written and read`() throws {
    var picture = Cassette.Entry.to("https://a.example/x.png", answer: "")
    picture.response.body = Cassette.Body(mimeType: "image/png", bytes: [0x89, 0x50, 0xFF, 0x00])
    var upload = Cassette.Entry.to("https://a.example/up", "POST", body: "", answer: "{}")
    upload.request.body = Cassette.Body(mimeType: "application/octet-stream", bytes: [0xC3, 0x28])
    var stream = Cassette.Entry.to("https://a.example/stream?x=1&x=2", answer: "", time: 12.345)
    stream.events = [Cassette.Event(time: 3.5, name: "update", data: "{\"id\":\"1\"}")]
    stream.response.headers = [Cassette.Field(name: "Content-Type", value: "text/event-stream")]
    var failed = Cassette.Entry.to("https://a.example/gone", answer: "", status: 0)
    failed.failure = Cassette.Failure(kind: "untrusted", host: "a.example", reason: "it is out of date")
    let post = Cassette.Entry.to("https://a.example/p", "POST", body: "status=Hé+%F0%9F%8C%B7", answer: "[\"世界\\n\"]")
    let cassette = Cassette(entries: [picture, upload, stream, failed, post], isPrivate: true)
    let file = try cassette.har()
    #expect(try Cassette(har: file) == cassette)
    #expect(try Cassette(har: file).har() == file)
  }

  @Test func `the file has all fields that HAR 1.2 requires`() throws {
    let entry = Cassette.Entry.to("https://a.example/p?a=1&b=x%20y", "POST", body: "c=1", answer: "{}", time: 2)
    let file = String(decoding: try Cassette(entries: [entry]).har(), as: UTF8.self)
    let har = try JSONDecoder().decode(HAR.self, from: Data(file.utf8)).log
    #expect(har.version == "1.2" && har.creator.name == "Qwinkle")
    let first = try #require(har.entries.first)
    #expect(first.startedDateTime == "2026-01-01T00:00:00.000Z" && first.time == 2)
    #expect(first.request.queryString.map(\.value) == ["1", "x y"])
    #expect(first.request.cookies.isEmpty && first.response.cookies.isEmpty)
    #expect(first.request.headersSize == -1 && first.request.bodySize == 3)
    #expect(first.request.postData?.mimeType == TransportRequest.formType && first.request.postData?.text == "c=1")
    #expect(first.response.content.size == 2 && first.response.redirectURL == "")
    #expect(first.timings.send + first.timings.wait + first.timings.receive == first.time)
    #expect(file.hasPrefix("{\n") && file.hasSuffix("}\n"))
    #expect(file.contains("https://a.example/p"), "slashes stand as they are")
  }

  @Test func `a file written by a browser is read`() throws {
    let file = """
      \u{FEFF}{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[{"id":"page_1"}],
      "entries":[{"_initiator":{"type":"script"},"_priority":"High","connection":"443","pageref":"page_1",
      "cache":{},"request":{"method":"POST","url":"https://a.example/p","httpVersion":"h2","headers":
      [{"name":":authority","value":"a.example"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":7,
      "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"1"}]}},
      "response":{"status":200,"statusText":"","httpVersion":"h2","headers":[{"name":":status","value":"200"},
      {"name":"link","value":"<x>"}],"cookies":[],"content":{"size":4,"mimeType":"application/json","text":"W10=",
      "encoding":"base64"},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":50,"_error":null},
      "serverIPAddress":"[::1]","startedDateTime":"2026-01-01T10:00:00.123+02:00","time":31.5,"timings":{"wait":31.5}},
      {"request":{"method":"GET","url":"https://b.example"},"response":{"status":0,"_error":"net::ERR_FAILED"}}]}}
      """
    let cassette = try Cassette(har: Array(file.utf8))
    #expect(cassette.entries.count == 2 && cassette.creator.name == "WebInspector")
    #expect(String(decoding: cassette.entries[0].request.body?.bytes ?? [], as: UTF8.self) == "a%20b=1")
    #expect(String(decoding: cassette.entries[0].response.body.bytes, as: UTF8.self) == "[]")
    #expect(cassette.entries[1].failure?.kind == "interrupted")
  }

  @Test func `an error in a malformed file names the entry`() throws {
    let good = try Cassette(entries: (0..<4).map { .to("https://a.example/\($0)", answer: "{\"a\":[1,{}]}") }).har()
    let text = String(decoding: good, as: UTF8.self)
    func error(_ damaged: String) -> CassetteError? {
      #expect(throws: CassetteError.self) { try Cassette(har: Array(damaged.utf8)) }
    }
    func number(_ error: CassetteError?) -> Int? {
      if case .damagedEntry(let number, _, _) = error { number } else { nil }
    }
    let missing = error(text.replacing("\"url\" : \"https://a.example/2\"", with: "\"ur\" : \"x\""))
    #expect(number(missing) == 3)
    #expect(missing?.sentence.contains("request.url is missing") == true, "\(missing?.sentence ?? "")")
    #expect(number(error(text.replacing("\"https://a.example/1\"", with: "\"https://a.example/1"))) == 2)
    #expect(number(error(text.replacing("\"https://a.example/1\"", with: "7"))) == 2)
    let cut = try #require(text.firstRange(of: "a.example/3"))
    #expect(number(error(String(text[..<cut.lowerBound]))) == 4)
    #expect(number(error(text.replacing("\"https://a.example/0\"", with: "\"https://a.example/0\" nonsense"))) == 1)
    for nonsense in ["", "{}", "[]", "{\"log\":{}}", "<html>", "{\"log\":{\"entries\":7}}"] {
      #expect(number(error(nonsense)) == nil)
    }
    #expect(error("{}")?.sentence == "Not a cassette: log is missing. A cassette is a HAR 1.2 file.")
  }

  @Test func `invalid base64 is an error`() throws {
    let file = """
      {"log":{"entries":[{"request":{"method":"GET","url":"https://a.example"},
      "response":{"status":200,"content":{"encoding":"base64","text":"*"}}}]}}
      """
    #expect(
      throws: CassetteError.damagedEntry(number: 1, line: 1, reason: "response.content.text cannot be read")
    ) { try Cassette(har: Array(file.utf8)) }
  }
}

/// A strict HAR decoder, in which every field is required.
private struct HAR: Decodable {
  struct Log: Decodable {
    var version: String
    var creator: Creator
    var entries: [Entry]
  }
  struct Creator: Decodable {
    var name: String
    var version: String
  }
  struct Pair: Decodable {
    var name: String
    var value: String
  }
  struct Entry: Decodable {
    var startedDateTime: String
    var time: Double
    var request: Request
    var response: Response
    var cache: [String: String]
    var timings: Timings
  }
  struct Request: Decodable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [Pair]
    var headers: [Pair]
    var queryString: [Pair]
    var postData: PostData?
    var headersSize: Int
    var bodySize: Int
  }
  struct PostData: Decodable {
    var mimeType: String
    var text: String
  }
  struct Response: Decodable {
    var status: Int
    var statusText: String
    var httpVersion: String
    var cookies: [Pair]
    var headers: [Pair]
    var content: Content
    var redirectURL: String
    var headersSize: Int
    var bodySize: Int
  }
  struct Content: Decodable {
    var size: Int
    var mimeType: String
    var text: String
  }
  struct Timings: Decodable {
    var send: Double
    var wait: Double
    var receive: Double
  }

  var log: Log
}
