import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@Suite struct RequestParametersTests {
  private static let form = "application/x-www-form-urlencoded"
  private static let json = "application/json"

  private static func read(_ body: String, _ type: String? = form) throws -> RequestParameters {
    try RequestParameters(body: Array(body.utf8), contentType: type)
  }

  /// Returns the same parameters parsed from a query, a form, a multipart form and JSON.
  private static func inEachForm(_ pairs: [(String, String)], json body: String) throws -> [RequestParameters] {
    let query = pairs.map { "\(PercentEncoding.component($0.0))=\(PercentEncoding.component($0.1))" }
    let parts = pairs.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
    return [
      try RequestParameters(RequestParameters.pairs(of: query.joined(separator: "&").utf8)),
      try read(query.joined(separator: "&")), try read(parts.joined() + "--b--\r\n", "multipart/form-data; boundary=b"),
      try read(body, json),
    ]
  }

  @Test func `parameters are read alike from queries, forms and JSON`() throws {
    let pairs = [
      ("status", "a + b & ü"), ("sensitive", "true"), ("media_ids[]", "1"), ("media_ids[]", "2"),
      ("poll[options][]", "yes"), ("poll[options][]", "no"), ("poll[expires_in]", "300"), ("id", "9007199254740993"),
      ("words[][keyword]", "x"), ("words[][whole]", "true"), ("words[][keyword]", "y"), ("empty", ""),
      ("fields[1][name]", "later"), ("fields[0][name]", "first"),
    ]
    let body = """
      {"status": "a + b & ü", "sensitive": true, "media_ids": ["1", 2], "id": 9007199254740993, "empty": null,
       "poll": {"options": ["yes", "no"], "expires_in": 300}, "words": [{"keyword": "x", "whole": true}, {"keyword": "y"}],
       "fields": [{"name": "first"}, {"name": "later"}]}
      """
    for sent in try Self.inEachForm(pairs, json: body) {
      #expect(try sent.text("status") == "a + b & ü")
      #expect(try sent.flag("sensitive") == true)
      #expect(try sent.texts("media_ids") == ["1", "2"])
      #expect(try sent.identifier("id") == "9007199254740993")
      let poll = try #require(try sent.object("poll"))
      #expect(try poll.texts("options") == ["yes", "no"])
      #expect(try poll.integer("expires_in", in: 0...1000) == 300)
      let words = try #require(try sent.objects("words"))
      #expect(try words.map { try $0.text("keyword") } == ["x", "y"])
      #expect(try words.map { try $0.flag("whole") } == [true, nil])
      #expect(try sent.objects("fields")?.map { try $0.text("name") } == ["first", "later"])
      #expect(try sent.identifier("empty") == nil && sent.flag("empty") == nil && !sent.has("empty"))
      #expect(try sent.text("missing") == nil && sent.object("missing") == nil && sent.texts("missing") == nil)
    }
  }

  @Test func `a value of the wrong type is rejected by name`() throws {
    let body = """
      {"text": 3, "flag": "maybe", "number": "1.5", "id": {"a": 1}, "list": {"a": 1}, "object": "x",
       "poll": {"options": [["a"]]}, "objects": ["x"], "visibility": ["direct"], "huge": 99999999999999999999}
      """
    let sent = try Self.read(body, Self.json)
    let readings: [(String, () throws -> Void)] = [
      ("text must be", { _ = try sent.text("text") }), ("flag must be", { _ = try sent.flag("flag") }),
      ("number must be", { _ = try sent.integer("number", in: 0...9) }),
      ("huge must be", { _ = try sent.integer("huge", in: 0...Int.max) }),
      ("id must be", { _ = try sent.identifier("id") }), ("list must be", { _ = try sent.texts("list") }),
      ("object must be", { _ = try sent.object("object") }), ("objects must be", { _ = try sent.objects("objects") }),
      ("poll[options] must be", { _ = try sent.object("poll")?.texts("options") }),
      ("visibility must be", { _ = try sent.entry() }),
    ]
    for (words, reading) in readings {
      let fault = #expect(throws: ParameterFault.self) { try reading() }
      #expect(fault?.sentence.hasPrefix(words) == true, "\(fault?.sentence ?? "")")
    }
  }

  @Test func `duplicate or conflicting parameters are rejected`() throws {
    let twice = try Self.read("visibility=direct&visibility=public&status=x")
    #expect(throws: ParameterFault.self) { try twice.entry() }
    #expect(twice["visibility"] == "public" && twice.list("visibility") == ["direct", "public"])
    for body in ["a=1&a[b]=2", "a[b]=2&a[]=1", "a[b]=1&a=2"] {
      #expect(throws: ParameterFault.self) { try Self.read(body) }
    }
    let names = #"{"status":"x","visibility":"direct","\u0076isibility":"public"}"#
    #expect(throws: ParameterFault.self) { try Self.read(names, Self.json) }
    #expect(throws: ParameterFault.self) { try Self.read(#"{"ids":["1"],"ids[]":["2"]}"#, Self.json) }
  }

  @Test func `an unsupported parameter is rejected by name unless it has no effect`() throws {
    let sent = try Self.read("status=x&poll[options][]=&media_ids[]=&notify=false&empty=")
    try sent.refuseOthers(than: ["status"], unless: ["notify": ["false"]])
    let fault = #expect(throws: ParameterFault.self) { try sent.refuseOthers(than: ["status"]) }
    #expect(fault?.sentence.hasPrefix("notify is not supported") == true)
    let nested = try #require(try Self.read("source[language]=de").object("source"))
    let inside = #expect(throws: ParameterFault.self) { try nested.refuseOthers(than: []) }
    #expect(inside?.sentence.hasPrefix("source[language]") == true)
  }

  @Test func `a body that doesn't match its content type is rejected`() {
    let bodies: [(String, String?, ParameterFault.Kind)] = [
      ("{\"status\":", Self.json, .unreadable), ("[]", Self.json, .unreadable), ("{} {}", Self.json, .unreadable),
      ("{\"a\" \"x\"}", Self.json, .unreadable), ("status=x", Self.json, .unreadable),
      ("--x", "multipart/form-data", .unreadable), ("--x", "multipart/form-data; boundary=x", .unreadable),
      ("<a/>", "text/xml", .unknownType),
    ]
    for (body, type, kind) in bodies {
      let fault = #expect(throws: ParameterFault.self) { try Self.read(body, type) }
      #expect(fault?.kind == kind, "\(body)")
    }
  }

  @Test func `the number, depth and length of parameters are limited`() throws {
    let many = (0..<1000).map { "a\($0)=1" }.joined(separator: "&")
    #expect(try Self.read(many).names.count == 1000)
    let deep = String(repeating: "[b]", count: 50)
    let list = "[" + String(repeating: "1,", count: 5000) + "1]"
    for (body, type) in [
      (many + "&b=1", Self.form), ("a\(deep)=1", Self.form), (String(repeating: "a", count: 300) + "=1", Self.form),
      (#"{"a":\#(list)}"#, Self.json), (#"{"a":[[[[[[[[1]]]]]]]]}"#, Self.json),
    ] {
      let fault = #expect(throws: ParameterFault.self) { try Self.read(body, type) }
      #expect(fault?.kind == .refused)
    }
  }

  @Test func `body values override query values`() throws {
    let both = try Self.read("a=body").or(Self.read("a=query&b=query"))
    #expect(both["a"] == "body" && both["b"] == "query")
  }

  @Test func `a parameter that is nested too deeply is reported as such`() {
    let name = "a" + String(repeating: "[b]", count: 10)
    let fault = #expect(throws: ParameterFault.self) { try Self.read("\(name)=1") }
    #expect(fault?.sentence == "a is nested too deeply.")
  }

  @Test(arguments: [Soak.seed]) func `malformed bodies never crash the parser`(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var (readCount, refusedCount) = (0, 0)
    for (body, type) in [
      (#"{"status":"x","poll":{"options":["a","b"]},"media_ids":[1,"2"]}"#, Self.json),
      ("status=x&poll[options][]=a&words[][keyword]=b&fields[0][name]=c", Self.form),
    ] {
      for _ in 0..<Soak.runs(2000) {
        let damaged = FuzzTests.damaged(Array(body.utf8), using: &generator)
        guard let sent = try? RequestParameters(body: damaged, contentType: type) else {
          refusedCount += 1
          continue
        }
        readCount += 1
        _ = try? sent.entry()
        _ = try? sent.object("poll")?.texts("options")
        _ = try? sent.objects("fields")
      }
    }
    #expect(readCount > 100 && refusedCount > 100, "\(readCount) read, \(refusedCount) refused")
  }
}
