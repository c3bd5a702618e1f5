import QwinkleModel
import QwinkleWire
import Testing

@Suite struct AttachmentEntityTests {
  private static func attachment(_ members: String) throws -> QwinkleModel.Attachment {
    try WireDecoder.attachment(from: Array(#"{"id":"1","type":"video"\#(members)}"#.utf8))
  }

  @Test(
    arguments: [
      // Mastodon and GoToSocial
      (#","meta":{"original":{"width":640,"height":480,"duration":84.25,"bitrate":1}}"#, 84_250),
      // Earlier versions of Mastodon
      (#","meta":{"length":"0:01:24.25","duration":84.25}"#, 84_250),
      (#","meta":{"length":"0:01:24.25"}"#, 84_250),
      (#","meta":{"length":"1:02:03"}"#, 3_723_000),
    ] as [(String, Int)])
  func `the playing time is read from each place where servers send it`(members: String, expected: Int) throws {
    let attachment = try Self.attachment(members)
    #expect(attachment.duration == .milliseconds(expected))
    #expect(try WireDecoder.attachment(from: WireEncoder.attachment(attachment)).duration == attachment.duration)
  }

  @Test(arguments: [
    "", #","meta":null"#, #","meta":"long""#, #","meta":{"original":[]}"#, #","meta":{"original":{"duration":-4}}"#,
    #","meta":{"original":{"duration":1e300}}"#, #","meta":{"original":{"duration":1e400}}"#,
    #","meta":{"original":{"duration":"nan"}}"#, #","meta":{"length":"soon"}"#, #","meta":{"length":"1:2:3:4"}"#,
    #","meta":{"length":"-0:01"}"#, #","meta":{"length":""}"#, #","meta":{"length":"0x1p9"}"#,
  ])
  func `a missing or malformed playing time is ignored`(members: String) throws {
    #expect(try Self.attachment(members).duration == nil)
  }

  @Test func `the size is read from the original or from older members`() throws {
    let new = try Self.attachment(#","meta":{"original":{"width":640,"height":480},"width":1,"height":2}"#)
    #expect(new.width == 640 && new.height == 480)
    let old = try Self.attachment(#","meta":{"size":"320x240","width":320,"height":240}"#)
    #expect(old.width == 320 && old.height == 240)
    let malformed = try Self.attachment(#","meta":{"original":{"width":-1,"height":"tall"}}"#)
    #expect(malformed.width == nil && malformed.height == nil)
  }

  @Test func `a focal point has two coordinates between -1 and 1`() throws {
    let read = try Self.attachment(#","meta":{"focus":{"x":-0.5,"y":1}}"#)
    #expect(read.focus == FocalPoint(x: -0.5, y: 1))
    #expect(try WireDecoder.attachment(from: WireEncoder.attachment(read)).focus == read.focus)
    for malformed in [
      #"{"x":0.5}"#, #"{"x":1.01,"y":0}"#, #"{"x":0,"y":-7}"#, #"{"x":"0.5","y":0}"#, "[0.5,0.5]", "0.5", "null",
      #"{"x":null,"y":0}"#, #"{"x":1e400,"y":0}"#,
    ] {
      #expect(try Self.attachment(#","meta":{"focus":\#(malformed)}"#).focus == nil, "\(malformed)")
    }
  }

  @Test func `typed focal points are two numbers`() {
    #expect(FocalPoint(typed: "0.5,-0.25") == FocalPoint(x: 0.5, y: -0.25))
    #expect(FocalPoint(typed: " 0 , 1 ") == FocalPoint(x: 0, y: 1))
    for text in ["", "0.5", "0.5,", "a,b", "2,0", "0,0,0", "nan,0", "inf,0"] {
      #expect(FocalPoint(typed: text) == nil, "\(text)")
    }
  }

  @Test(
    arguments: [
      (.image, "a.png", "b.png", "b.png"), (.image, "a.png", nil, "a.png"), (.video, "a.mp4", "b.png", "b.png"),
      (.video, "a.mp4", "a.mp4", nil), (.video, "a.mp4", nil, nil), (.audio, "a.mp3", "b.png", "b.png"),
      (.animation, "a.mp4", "b.png", "b.png"), (.unknown, "a", "b.png", nil),
    ] as [(QwinkleModel.Attachment.Kind, String, String?, String?)])
  func `a cover is a preview that isn't the file itself`(
    kind: QwinkleModel.Attachment.Kind, url: String, preview: String?, cover: String?
  ) {
    #expect(QwinkleModel.Attachment(id: "1", kind: kind, url: url, previewURL: preview).coverURL == cover)
  }

  @Test func `a link preview has the picture of its page`() throws {
    func card(_ members: String) throws -> Qwink.Card? {
      try WireDecoder.qwink(
        from: Array(
          #"{"id":"1","account":{"id":"7","acct":"bob"},"card":{"url":"https://a.example/","title":"A"\#(members)}}"#
            .utf8)
      ).card
    }
    let hash = "UPN1Ddxup{IT9an~.8RjK-oy%gkE%#W?i^t6"
    let whole = try card(#","image":"https://a.example/p.png","width":1200,"height":630,"blurhash":"\#(hash)""#)
    #expect(
      whole?.picture == Qwink.Card.Picture(url: "https://a.example/p.png", width: 1200, height: 630, blurhash: hash))
    let sizeless = try card(#","image":"https://a.example/p.png","width":0,"height":0,"blurhash":"no hash""#)
    #expect(sizeless?.picture == Qwink.Card.Picture(url: "https://a.example/p.png"))
    for missing in ["", #","image":null"#, #","image":"javascript:alert(1)""#, #","image":7"#] {
      let card = try card(missing)
      #expect(card?.title == "A" && card?.picture == nil, "\(missing)")
    }
  }
}
