import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@Suite(.bounded) struct JSONPartsTests {
  private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test(arguments: [
    ("{}", #"{"x":1}"#), (" { \n}", #"{"x":1}"#), (#"{"a":2}"#, #"{"x":1,"a":2}"#), ("", #"{"x":1}"#),
    (#"{"a":[{"x":3}],"x":{"y":[2,3]},"b":"}"}"#, #"{"a":[{"x":3}],"x":1,"b":"}"}"#),
  ])
  func `a member is added to an object or replaced`(object: String, whole: String) {
    let json = JSONParts.object(Array(object.utf8), setting: [("x", Array("1".utf8))])
    #expect(Self.text(json) == whole)
  }

  @Test func `only top-level members that aren't null are found`() {
    let object = Array(#"{ "a" : {"b":[1]} , "c":null}"#.utf8)
    #expect(Self.text(JSONParts.member("a", of: object)) == #"{"b":[1]}"#)
    #expect(JSONParts.member("c", of: object) == nil && JSONParts.member("b", of: object) == nil)
  }

  @Test(arguments: [
    (#"{"id":"7","x":1}"#, #"{"id":"7","x":1}"#), (#" [{"id":"7","x":1}, {"id":"8"}]"#, #"{"id":"7","x":1}"#),
    (#"[null,{"id":"7","x":1}]"#, #"{"id":"7","x":1}"#), (#"[{"x":2},{"id":"7","x":1}]"#, #"{"id":"7","x":1}"#),
    ("\u{FEFF}[3,{\"id\":\"7\",\"x\":1}]<!-- 3 ms -->", #"{"id":"7","x":1}"#),
  ])
  func `the source of a relationship matches the decoded one`(body: String, source: String) throws {
    let found = WireDecoder.relationshipSource(from: Array(body.utf8))
    #expect(Self.text(found) == source)
    let decoded = try #require(try WireDecoder.relationships(from: Array(body.utf8)).first)
    #expect(try WireDecoder.relationship(from: found) == decoded)
  }

  @Test(arguments: [
    ("\u{FEFF}{\"a\":1}\n<!-- 3 ms -->", #"{"a":1}"#), (#"[{"a":1},{"b":},{"c":3}]"#, #"[{"a":1},{"c":3}]"#),
    (#"[{"a":1},{"b":"#, #"[{"a":1}]"#), (#"{"a":1,"b":01x,"c":"\q"}"#, #"{"a":1,"c":"\\q"}"#),
    (#"[ "a" , null ]"#, #"["a",null]"#), ("[]", "[]"), ("Oops", "Oops"),
  ])
  func `malformed members and items are removed`(body: String, readable: String) {
    #expect(Self.text(JSONParts.readable(Array(body.utf8))) == readable)
  }

  @Test func `the sources of a thread match its decoded items`() throws {
    let account = #"{"id":"1","username":"a","acct":"a"}"#
    func status(_ id: Int) -> String {
      #"{"id":"\#(id)","created_at":"2026-01-01T00:00:00Z","content":"","account":\#(account)}"#
    }
    let body = Array(#"{"ancestors":[\#(status(1)),{},\#(status(2))],"descendants":[3,\#(status(4))]}"#.utf8)
    let (thread, sources) = (try WireDecoder.thread(from: body), try WireDecoder.threadSources(from: body))
    #expect(sources.ancestors.count == thread.ancestors.count && sources.descendants.count == thread.descendants.count)
    for (qwink, source) in zip(thread.ancestors + thread.descendants, sources.ancestors + sources.descendants) {
      #expect(try WireDecoder.qwink(from: source) == qwink)
    }
  }
}
