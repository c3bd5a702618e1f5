import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Custom emoji in texts and names.
@MainActor
@Suite(.bounded) struct EmojiPicturesTests {
  private static let qwink: Qwink = {
    var author = Qwinker.sample("alice", displayName: "Alice :cat:")
    author.emoji = [CustomEmoji(name: "cat", url: "https://tilde.example/emoji/cat.png")]
    var qwink = Qwink.sample(id: "7", text: "A :leek: and :nothing: and a :leek:", author: author)
    qwink.emoji = [CustomEmoji(name: "leek", url: "https://tilde.example/emoji/leek.png")]
    return qwink
  }()

  private func opened(pixels: Bool, gate: Gate? = nil) async throws -> (Bench, PictureFiles) {
    let bench = try Bench()
    if pixels { bench.driver.placesPictures() }
    let files = PictureFiles(try PictureFiles.gradient(), gate: gate)
    let thread = ThreadViewController(account: bench.account, shelf: files.shelf(for: bench))
    thread.show(Self.qwink)
    await bench.show(thread)
    bench.clock.advance(by: .milliseconds(150))
    if gate == nil { await bench.settle() }
    return (bench, files)
  }

  /// Returns the columns of the cells with a picture in the row that contains `words`.
  private func columns(_ bench: Bench, in words: String) throws -> [Int] {
    let row = try #require(bench.lines.firstIndex { $0.contains(words) }, "\(bench.text)")
    let grid = try #require(bench.driver.frames.last?.grid)
    return (0..<grid.size.columns).filter { PicturePlacement(grid[row, $0]) != nil }
  }

  @Test func `loaded emoji are drawn in two columns each, and unknown names stay text`() async throws {
    let (bench, files) = try await opened(pixels: true)
    #expect(
      files.asked.sorted() == ["https://tilde.example/emoji/cat.png", "https://tilde.example/emoji/leek.png"])
    #expect(!bench.text.contains(":leek:") && !bench.text.contains(":cat:"), "\(bench.text)")
    #expect(bench.text.contains(":nothing:"))
    let start = CellLine.avatarColumn + 4
    let text = try columns(bench, in: ":nothing:")
    #expect(text.count == 4 && text[1] == text[0] + 1 && text[3] == text[2] + 1, "\(text)")
    #expect(text[0] == start + 2, "\(text)")
    #expect(try columns(bench, in: "@alice").count >= 2)
  }

  @Test func `a name stays text until its picture is loaded`() async throws {
    let gate = Gate()
    let (bench, _) = try await opened(pixels: true, gate: gate)
    #expect(bench.text.contains("A :leek: and :nothing: and a :leek:"), "\(bench.text)")
    gate.open()
    await bench.settle()
    #expect(!bench.text.contains(":leek:"), "\(bench.text)")
  }

  @Test func `a terminal without pixel pictures shows names and loads no emoji`() async throws {
    let (bench, files) = try await opened(pixels: false)
    #expect(bench.text.contains("A :leek: and :nothing: and a :leek:") && bench.text.contains("Alice :cat:"))
    #expect(files.asked.isEmpty)
  }

  @Test func `each placeholder is one cluster of two columns`() {
    for value in 0x17000...0x170FF {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      #expect(DisplayWidth.columns(of: "a\(scalar)b") == 4)
      #expect(DisplayWidth.truncated("\(scalar)", to: 1) != "\(scalar)")
    }
  }

  @Test func `names with other characters, and addresses that aren't safe, are dropped`() throws {
    let emoji = [
      #"{"shortcode":"leek","url":"https://e.org/a.gif","static_url":"https://e.org/a.png"}"#,
      #"{"shortcode":"a b","url":"https://e.org/a.png"}"#, #"{"shortcode":"","url":"https://e.org/a.png"}"#,
      #"{"shortcode":"<b>","url":"https://e.org/a.png"}"#, #"{"shortcode":"x","url":"javascript:alert(1)"}"#,
      #"{"shortcode":"y"}"#, "7", "null", #"{"shortcode":"z","url":"https://e.org/z.png","static_url":null}"#,
    ]
    let body = #"{"id":"1","account":{"id":"2","emojis":{}},"emojis":[\#(emoji.joined(separator: ","))]}"#
    let qwink = try WireDecoder.qwink(from: Array(body.utf8))
    #expect(
      qwink.emoji == [
        CustomEmoji(name: "leek", url: "https://e.org/a.png"), CustomEmoji(name: "z", url: "https://e.org/z.png"),
      ])
    #expect(qwink.author.emoji.isEmpty)
    #expect(try WireDecoder.qwink(from: WireEncoder.qwink(qwink)).emoji == qwink.emoji)
  }
}
