import QwinkleModel
import QwinkleWire
import Testing

@Suite struct TranslationEntityTests {
  private static func translation(_ json: String) throws -> Translation {
    try WireDecoder.translation(from: Array(json.utf8))
  }

  @Test func `each field is read`() throws {
    let translation = try Self.translation(
      """
      {"content":"<p>Good morning<br>world</p>","spoiler_text":"About food","language":"en",
      "poll":{"id":"3","options":[{"title":"Tea"},{"title":"Coffee"}]},
      "media_attachments":[{"id":22345792,"description":"A boat"},{"id":"8","description":" "},{"id":"9"}],
      "detected_source_language":"de","provider":"DeepL.com"}
      """)
    #expect(translation.text.plainText == "Good morning\nworld")
    #expect(translation.contentWarning == "About food")
    #expect(translation.pollOptions == ["Tea", "Coffee"])
    #expect(translation.descriptions == ["22345792": "A boat"])
    #expect(translation.sourceLanguage == "de" && translation.provider == "DeepL.com")
    #expect(translation.credit == "Translated from German by DeepL.com.")
  }

  @Test func `a poll in a list is read, and only the text is required`() throws {
    let translation = try Self.translation(#"{"content":"","poll":[{"id":3,"options":[{"title":"Yes"},{}]}]}"#)
    #expect(translation.pollOptions == ["Yes", ""] && translation.text.isEmpty)
    #expect(translation.credit == "Translated.")
    for body in ["{}", "[]", #"{"content":null}"#, #"{"content":{}}"#] {
      #expect(throws: WireError.self) { try Self.translation(body) }
    }
  }

  @Test(arguments: [#""de\u001b[31m""#, #""""#, "7", #""<b>""#, #""a very long language that no table has""#])
  func `an invalid language is dropped`(language: String) throws {
    let translation = try Self.translation(#"{"content":"x","detected_source_language":\#(language)}"#)
    #expect(translation.sourceLanguage == nil)
  }

  @Test func `no text has control characters`() throws {
    let bad = #"x\u001b]0;t\u0007\u202e\u009b"#
    let translation = try Self.translation(
      """
      {"content":"\(bad)","spoiler_text":"\(bad)","provider":"\(bad)","poll":{"options":[{"title":"\(bad)"}]},
      "media_attachments":[{"id":"1","description":"\(bad)"}]}
      """)
    let texts =
      [translation.text.plainText, translation.contentWarning, translation.provider] + translation.pollOptions
      + translation.descriptions.values
    #expect(texts.count == 5 && texts.allSatisfy { $0 == "x]0;t" }, "\(texts)")
  }

  @Test func `encoding and decoding leave a translation unchanged`() throws {
    let translation = Translation(
      text: RichText(plain: "One\nTwo"), contentWarning: "Food", pollOptions: ["A", "B"], descriptions: ["5": "Boat"],
      sourceLanguage: "pt-BR", provider: "Libre")
    #expect(try WireDecoder.translation(from: WireEncoder.translation(translation)) == translation)
  }
}

@Suite struct AsyncRefreshTests {
  @Test(
    arguments: [
      (#"id="abc==--1f", retry=3, result_count=2"#, AsyncRefresh(id: "abc==--1f", resultCount: 2, retrySeconds: 3)),
      (#"retry=5,id=abc"#, AsyncRefresh(id: "abc", retrySeconds: 5)),
      (#"id="a,b;c\"d" , retry=-4, result_count=x"#, AsyncRefresh(id: #"a,b;c"d"#, retrySeconds: 0)),
      (#"id="a", id="b", other="#, AsyncRefresh(id: "a")), (#"id="""#, nil), ("retry=3", nil), ("", nil), (",,", nil),
      (#"id="open"#, AsyncRefresh(id: "open")),
    ] as [(String, AsyncRefresh?)])
  func `the header's parameters are read in any order`(header: String, refresh: AsyncRefresh?) {
    #expect(AsyncRefresh(header: header) == refresh)
  }

  @Test(arguments: [("running", true), ("finished", false), ("paused", false), ("", false)])
  func `only a running refresh is polled again`(status: String, isRunning: Bool) throws {
    let body = #"{"async_refresh":{"id":"7","status":"\#(status)","result_count":-2}}"#
    let refresh = try WireDecoder.asyncRefresh(from: Array(body.utf8))
    #expect(refresh == AsyncRefresh(id: "7", isRunning: isRunning, resultCount: 0))
    #expect(throws: WireError.self) { try WireDecoder.asyncRefresh(from: Array(#"{"id":"7"}"#.utf8)) }
  }
}
