import FoundationEssentials
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@Suite struct PageTests {
  private static func status(_ id: String, more: String = "") -> String {
    """
    {"id":"\(id)","created_at":"2026-11-21T01:52:38.493Z","content":"<p>Text \(id)</p>"\(more),\
    "account":{"id":"7","username":"alice","acct":"alice"}}
    """
  }

  private static func page(_ body: String, link: String? = nil) throws -> Page<Qwink> {
    try WireDecoder.qwinks(from: Array(body.utf8), link: link)
  }

  @Test func `a page preserves the server's order, sources and cursors`() throws {
    let body = " [\(Self.status("2")) , \(Self.status("1"))]\n"
    let page = try Self.page(
      body, link: "<https://e.org/a?max_id=1>; rel=\"next\", <https://e.org/a?min_id=2>; rel=\"prev\"")
    #expect(page.items.map(\.id.rawValue) == ["2", "1"])
    #expect(page.damagedCount == 0)
    #expect(page.older == PageCursor(url: "https://e.org/a?max_id=1"))
    #expect(page.newer == PageCursor(url: "https://e.org/a?min_id=2"))
    #expect(page.sources.count == 2)
    #expect(try WireDecoder.qwink(from: page.sources[1]) == page.items[1])
  }

  @Test func `an empty list is an empty page`() throws {
    #expect(try Self.page("[]").items.isEmpty)
    #expect(try Self.page(" [ ] ").damagedCount == 0)
  }

  @Test func `a body that isn't a list is rejected with a reason`() {
    #expect(throws: WireError.empty) { try Self.page("") }
    #expect(throws: WireError.empty) { try Self.page(" \r\n\t") }
    #expect(throws: WireError.notJSON(looksLikeHTML: true)) { try Self.page("<!DOCTYPE html><title>502</title>") }
    #expect(throws: WireError.notJSON(looksLikeHTML: true)) { try Self.page("\u{FEFF} <html>") }
    #expect(throws: WireError.notJSON(looksLikeHTML: false)) { try Self.page("Service unavailable") }
    #expect(throws: WireError.unexpected("an object instead of a list")) { try Self.page("{\"error\":\"no\"}") }
    #expect(throws: WireError.unexpected("a single value")) { try Self.page("null") }
    #expect(throws: WireError.unexpected("a list of something else")) { try Self.page("[1,2,\"x\"]") }
    #expect(throws: WireError.truncated) { try Self.page("[") }
    #expect(throws: WireError.truncated) { try Self.page("[{\"id\":\"1\",\"conte") }
  }

  @Test func `a truncated page yields its complete items`() throws {
    let body = "[\(Self.status("1")),\(Self.status("2")),\(Self.status("3"))]"
    for length in 1..<body.utf8.count {
      let part = String(decoding: body.utf8.prefix(length), as: UTF8.self)
      let whole = part.ranges(of: "\"}},").count
      if whole == 0 {
        #expect(throws: WireError.truncated) { try Self.page(part) }
      } else {
        let page = try Self.page(part)
        #expect(page.items.count == whole)
        #expect(page.damagedCount == 1)
      }
    }
  }

  @Test(.bounded) func `200,000 nested arrays are rejected quickly`() throws {
    let open = [UInt8](repeating: UInt8(ascii: "["), count: 200_000)
    let close = [UInt8](repeating: UInt8(ascii: "]"), count: 200_000)
    #expect(throws: WireError.truncated) { try WireDecoder.qwinks(from: open, link: nil) }
    #expect(throws: WireError.self) { try WireDecoder.qwinks(from: open + close, link: nil) }
    #expect(throws: WireError.self) { try WireDecoder.qwink(from: open + close) }
    #expect(throws: WireError.self) { try WireDecoder.thread(from: open) }
    #expect(throws: WireError.self) { try WireDecoder.serverInfo(from: open) }
    let object = Array("{\"id\":".utf8) + open + close + Array("}".utf8)
    #expect(throws: WireError.unexpected("too deeply nested")) { try WireDecoder.qwink(from: object) }
    let context = Array("{\"ancestors\":[{\"a\":".utf8) + open + close + Array("}],\"descendants\":[]}".utf8)
    #expect(try WireDecoder.thread(from: context) == QwinkThread())
    let boosts = String(repeating: "{\"reblog\":", count: 200_000)
    #expect(throws: WireError.truncated) { try WireDecoder.qwink(from: Array(boosts.utf8)) }
  }

  @Test func `an item nested too deeply is the only one lost`() throws {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let page = try Self.page("[\(Self.status("1")),\(Self.status("2", more: ",\"x\":\(deep)")),\(Self.status("3"))]")
    #expect(page.items.map(\.id.rawValue) == ["1", "3"])
    #expect(page.damagedCount == 1)
  }

  @Test func `a mismatched bracket damages only its own item`() throws {
    let page = try Self.page("[{\"a\":1],\(Self.status("1")),{\"b\":2}},\(Self.status("2")),,\(Self.status("3"))]")
    #expect(page.items.map(\.id.rawValue) == ["1", "2", "3"])
    #expect(page.damagedCount == 3)
  }

  @Test func `brackets and quotes inside strings are ignored`() throws {
    let page = try Self.page("[\(Self.status("1", more: ",\"spoiler_text\":\"]},[{ \\\" \\\\\""))]")
    #expect(page.items.first?.contentWarning == "]},[{ \" \\")
  }

  @MainActor
  @Test func `a very long page is parsed in linear time`() throws {
    let growth = try Effort.growth(from: 5000) { count in
      ("[" + String(repeating: "{},", count: count) + Self.status("1") + "]", count)
    } _: { body, count in
      let page = try Self.page(body)
      #expect(page.items.isEmpty)
      #expect(page.damagedCount == count + 1)
    }
    #expect(growth < 9)
  }

  @Test func `malformed items are left out of a thread`() throws {
    let body = "{\"ancestors\":[\(Self.status("1")),{\"id\":5}],\"descendants\":[7,\(Self.status("2"))]}"
    let thread = try WireDecoder.thread(from: Array(body.utf8))
    #expect(thread.ancestors.map(\.id.rawValue) == ["1"])
    #expect(thread.descendants.map(\.id.rawValue) == ["2"])
    let cut = try WireDecoder.thread(from: Array(body.utf8.dropLast(30)))
    #expect(cut.ancestors.map(\.id.rawValue) == ["1"])
    #expect(throws: WireError.truncated) { try WireDecoder.thread(from: Array("{\"anc".utf8)) }
    #expect(throws: WireError.self) { try WireDecoder.thread(from: Array("{\"error\":\"x\"}".utf8)) }
  }

  @Test func `an error body yields one safe line`() {
    #expect(WireDecoder.errorMessage(from: WireEncoder.error("Not\n\u{1B}[2J here")) == "Not [2J here")
    let long = WireDecoder.errorMessage(from: WireEncoder.error(String(repeating: "ä", count: 100_000)))
    #expect(long?.count == 300)
    let described = "{\"error\":\"invalid_grant\",\"error_description\":\"The code is too old.\"}"
    #expect(WireDecoder.errorMessage(from: Array(described.utf8)) == "The code is too old.")
    for body in ["", "<html>", "[]", "{}", "{\"error\":[]}", "{\"error\":\"\"}", "{\"error\":\"x"] {
      #expect(WireDecoder.errorMessage(from: Array(body.utf8)) == nil)
    }
  }
}
