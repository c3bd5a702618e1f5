import QwinkleModel
import QwinkleWire
import Testing

@Suite struct EntryTests {
  private static func entry(_ body: String, _ type: String? = "application/x-www-form-urlencoded") throws -> Entry {
    try RequestParameters(body: Array(body.utf8), contentType: type).entry()
  }

  @Test func `a form is read and its escapes are decoded`() throws {
    let entry = try Self.entry(
      "status=Gr%C3%BC%C3%9Fe+%26+100%25%0D%0Amore&visibility=unlisted&spoiler_text=a+b&language=de&in_reply_to_id=17"
        + "&sensitive=true&media_ids%5B%5D=3")
    #expect(entry.text == "Grüße & 100%\r\nmore")
    #expect(entry.visibility == .unlisted)
    #expect(entry.contentWarning == "a b")
    #expect(entry.language == "de")
    #expect(entry.inReplyTo == "17")
    #expect(entry.isSensitive && entry.attachmentIDs == ["3"])
    #expect(entry.idempotencyKey.isEmpty)
  }

  @Test func `empty form fields get their defaults and invalid escapes stay`() throws {
    let entry = try Self.entry("status=x%zz%4&&=&visibility=&language=&in_reply_to_id=")
    #expect(entry == Entry(text: "x%zz%4", idempotencyKey: ""))
  }

  @Test func `typed text is preserved except for NUL`() throws {
    let text = " \u{202E}a\u{200F}\u{1B}[2J\r\n\tb "
    let entry = Entry(text: text, contentWarning: "\u{200F}c ", isSensitive: true, idempotencyKey: "")
    #expect(try RequestParameters(body: WireEncoder.entry(entry), contentType: "application/json").entry() == entry)
    for body in ["status=a%00b%00&spoiler_text=%00", "status=ab&spoiler_text="] {
      #expect(try Self.entry(body) == Entry(text: "ab", idempotencyKey: ""))
    }
  }

  @Test func `a multipart form is read like any other form`() throws {
    func part(_ name: String, _ value: String) -> String {
      "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    let body = [
      part("status", "Grüße & 100%\r\n--more"), part("visibility", "private"), part("spoiler_text", "a b"),
      part("language", "de"), part("in_reply_to_id", "17"), part("sensitive", "true"), part("media_ids[]", "3"),
      "--B--\r\n",
    ].joined()
    let entry = try Self.entry(body, "multipart/form-data; charset=utf-8; boundary=\"B\"")
    #expect(
      entry
        == Entry(
          text: "Grüße & 100%\r\n--more", visibility: .private, contentWarning: "a b", language: "de", inReplyTo: "17",
          attachmentIDs: ["3"], isSensitive: true, idempotencyKey: ""))
  }

  @Test func `JSON may contain numeric ids and null values`() throws {
    let body = "{\"status\":\"hi\\u001b[0m\",\"in_reply_to_id\":9007199254740993,\"spoiler_text\":null}"
    let entry = try Self.entry(body, "application/json")
    #expect(entry == Entry(text: "hi\u{1B}[0m", inReplyTo: "9007199254740993", idempotencyKey: ""))
  }

  @Test func `an unknown visibility is rejected`() {
    for body in ["status=x&visibility=mutuals", "visibility=PUBLIC"] {
      #expect(throws: ParameterFault("visibility must be one of: public, unlisted, private, direct.")) {
        try Self.entry(body)
      }
    }
    #expect(throws: ParameterFault.self) {
      try Self.entry("{\"status\":\"x\",\"visibility\":\"all\"}", "application/json")
    }
  }

  @Test func `an empty body has no text and a malformed body is rejected`() throws {
    for type in ["application/x-www-form-urlencoded", "application/json"] {
      #expect(try Self.entry("", type) == Entry(text: "", idempotencyKey: ""))
    }
    #expect(throws: ParameterFault("The body is not a JSON object.", kind: .unreadable)) {
      try Self.entry("{\"status\":", "application/json")
    }
    #expect(throws: ParameterFault("The body is not a complete multipart form.", kind: .unreadable)) {
      try Self.entry("--x", "multipart/form-data")
    }
  }
}
