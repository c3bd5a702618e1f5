import Foundation
import QwinkleReplay
import Terminal
import TerminalTesting
import Testing

@Suite struct CastTests {
  private static let start = Date(timeIntervalSince1970: 1_767_225_600.75)

  private func cast() -> Cast { Cast(size: Size(rows: 24, columns: 80), start: Self.start, term: "xterm-256color") }

  private func recording(_ cast: Cast) throws -> CastRecording {
    try #require(CastRecording(reading: cast.text))
  }

  @Test func `the file is asciicast version 2`() {
    var cast = cast()
    cast.output(Array("\u{1B}[1mHi\r\n\"\\\u{7F}".utf8), at: .milliseconds(1500))
    cast.resize(to: Size(rows: 30, columns: 100), at: .seconds(2))
    cast.marker("home", at: .seconds(61) + .microseconds(7))
    #expect(
      cast.text == #"""
        {"version": 2, "width": 80, "height": 24, "timestamp": 1767225600, "env": {"TERM": "xterm-256color"}}
        [1.500000, "o", "\u001b[1mHi\r\n\"\\\u007f"]
        [2.000000, "r", "100x30"]
        [61.000007, "m", "home"]

        """#)
  }

  @Test func `a written cast is read back`() throws {
    var cast = Cast(size: Size(rows: 2, columns: 3), start: Self.start, term: "st", title: "a \"story\"")
    let text = String(String.UnicodeScalarView((0..<0x180).compactMap(Unicode.Scalar.init))) + "海😀\u{2028}"
    cast.output(Array(text.utf8), at: .microseconds(123_456))
    cast.marker("m\n", at: .seconds(100_000))
    let recording = try recording(cast)
    #expect(recording.size == Size(rows: 2, columns: 3))
    #expect(recording.timestamp == 1_767_225_600)
    #expect(recording.title == "a \"story\"")
    #expect(recording.env == ["TERM": "st"])
    #expect(recording.events.map(\.time) == [.microseconds(123_456), .seconds(100_000)])
    #expect(recording.events.map(\.kind) == ["o", "m"])
    #expect(recording.output.utf8.elementsEqual(text.utf8))
    #expect(recording.events.last?.data == "m\n")
  }

  @Test func `a character split between writes is recorded whole`() throws {
    let text = "é海😀a"
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      for second in cut...bytes.count {
        var cast = cast()
        cast.output(bytes[..<cut], at: .seconds(1))
        cast.marker("between", at: .seconds(2))
        cast.output(bytes[cut..<second], at: .seconds(3))
        cast.output(bytes[second...], at: .seconds(4))
        let recording = try recording(cast)
        #expect(recording.output == text)
        #expect(recording.events.allSatisfy { !$0.data.isEmpty && !$0.data.contains("\u{FFFD}") })
      }
    }
  }

  @Test func `each invalid byte becomes a replacement character`() throws {
    var cast = cast()
    cast.output([0x61, 0xFF, 0xE6], at: .seconds(1))
    cast.output([0x62, 0x80, 0x80, 0x80, 0x80], at: .seconds(2))
    #expect(try recording(cast).output == "a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test func `an incomplete character is replaced until its end is written`() throws {
    var cast = cast()
    cast.output([0x61, 0xF0, 0x9F], at: .seconds(1))
    #expect(try recording(cast).output == "a\u{FFFD}")
    #expect(cast.text == cast.text)
    cast.output([0x98, 0x80], at: .seconds(2))
    #expect(try recording(cast).output == "a😀")
  }

  @Test func `empty output is no event and time never decreases`() throws {
    var cast = cast()
    cast.output([], at: .seconds(1))
    cast.marker("a", at: .seconds(-1))
    cast.marker("b", at: .seconds(2))
    cast.marker("c", at: .seconds(1))
    cast.marker("d", at: .seconds(2) + .nanoseconds(999))
    #expect(try recording(cast).events.map(\.time) == [.zero, .seconds(2), .seconds(2), .seconds(2)])
  }

  @Test(arguments: ["", "{}", "[1.0, \"o\", \"x\"]", "{\"version\": 3, \"width\": 1, \"height\": 1}"])
  func `a file that is not a cast is rejected`(text: String) {
    #expect(CastRecording(reading: text) == nil)
  }

  @Test func `a cast with a malformed event is rejected`() {
    let text = cast().text
    #expect(CastRecording(reading: text)?.events == [])
    for event in [
      "[1, \"o\"]", "[\"o\", 1, \"x\"]", "[2, \"o\", \"x\"]\n[1, \"o\", \"x\"]", "[1, \"o\", \"x\"",
      "[1e300, \"o\", \"x\"]",
    ] {
      #expect(CastRecording(reading: text + event) == nil)
    }
  }
}
