import FoundationEssentials
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleWire

@Suite struct FuzzTests {
  @Test(arguments: [Soak.seed]) func `malformed bodies never crash or yield unsafe text`(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    var sample = Sample(seed: seed &+ 1)
    let page = WireEncoder.qwinks((0..<3).map { _ in sample.qwink() })
    let context = WireEncoder.thread(QwinkThread(ancestors: [sample.qwink()], descendants: [sample.qwink()]))
    let others = Corpus.named("gotosocial").flatMap { corpus in
      corpus.answers.first { $0.file == "instance_v1.json" }.flatMap { try? corpus.body(of: $0) }
    }
    // Counts of mutated bodies that could still be decoded.
    var (pages, threads) = (0, 0)
    for body in [page, context, others ?? WireEncoder.error("x")] {
      for _ in 0..<Soak.runs(150) {
        let damaged = Self.damaged(body, using: &generator)
        if let page = try? WireDecoder.qwinks(from: damaged, link: nil) {
          #expect(page.sources.count == page.items.count)
          for source in page.sources { #expect(String(validating: source, as: UTF8.self) != nil) }
          for item in page.items { Self.expectSafe(item) }
          pages += page.items.isEmpty ? 0 : 1
        }
        if let thread = try? WireDecoder.thread(from: damaged) {
          for item in thread.ancestors + thread.descendants { Self.expectSafe(item) }
          threads += thread.ancestors.isEmpty ? 0 : 1
        }
        _ = try? WireDecoder.serverInfo(from: damaged)
        _ = try? WireDecoder.qwink(from: damaged)
        _ = try? WireDecoder.qwinker(from: damaged)
        _ = WireDecoder.errorMessage(from: damaged)
        _ = try? RequestParameters(body: damaged, contentType: nil).entry()
        _ = LinkHeader(parsing: String(decoding: damaged.prefix(500), as: UTF8.self))
      }
    }
    #expect(pages > 50 && threads > 0, "\(pages), \(threads)")
  }

  @Test(arguments: [Soak.seed])
  func `the text of random HTML has no control characters except line breaks`(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    let pieces = [
      "<p>", "</p>", "<br>", "<a href=\"https://e.org\">", "<a href='javascript:x' class=\"mention\">", "</a>", "<b>",
      "</b>", "<span class=\"invisible\">", "<span class=ellipsis>", "</span>", "<ul>", "<ol start=9>", "<li>",
      "</ul>", "<pre>", "</pre>", "<code>", "</code>", "<blockquote>", "</blockquote>", "<script>", "</script>",
      "<!--", "-->", "<", ">", "&", "&#27;", "&#x9b;", "&#x202e;", "&lt;", ";", "\"", "'", "text", " ", "\n", "\t",
      "\u{1B}", "\u{7}", "\u{85}", "\u{2028}", "\u{200D}", "#tag", "@name", "<a rel=tag href=x>", "<h1>", "</h1>",
      "<img alt='&#10;x'>", "é", "世", "&nbsp;", "<td>", "<del>",
    ]
    for _ in 0..<Soak.runs(3000) {
      let html = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
        pieces[Int.random(in: pieces.indices, using: &generator)]
      }.joined()
      let text = HTMLReader.richText(from: html)
      Self.expectSafe(text, html)
      Self.expectTidy(text, html)
      let again = HTMLReader.richText(from: HTMLWriter.html(from: text))
      Self.expectSafe(again, html)
    }
  }

  /// `body` with a few bytes changed, inserted or removed.
  static func damaged(_ body: [UInt8], using generator: inout SplitMix) -> [UInt8] {
    var body = body
    let signs = Array("{}[]\",:\\u0D8ntfe-1 <&".utf8) + [0, 0x1B, 0x80, 0xC0, 0xED, 0xF0, 0xFF]
    for _ in 0..<Int.random(in: 1...12, using: &generator) where !body.isEmpty {
      let index = Int.random(in: body.indices, using: &generator)
      switch Int.random(in: 0...4, using: &generator) {
      case 0: body[index] = signs[Int.random(in: signs.indices, using: &generator)]
      case 1: body.insert(signs[Int.random(in: signs.indices, using: &generator)], at: index)
      case 2: body.removeSubrange(index..<min(body.count, index + Int.random(in: 1...20, using: &generator)))
      case 3: body[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      default: if Int.random(in: 0...9, using: &generator) == 0 { body.removeSubrange(index...) }
      }
    }
    return body
  }

  static func expectSafe(_ qwink: Qwink) {
    let author = qwink.author
    for text in [qwink.contentWarning, author.displayName, author.handle, qwink.id.rawValue, qwink.url ?? ""] {
      #expect(text.unicodeScalars.allSatisfy(isSafe))
    }
    expectSafe(qwink.text, "")
    expectSafe(qwink.author.note, "")
  }

  static func expectSafe(_ text: RichText, _ html: String) {
    for span in text.paragraphs.flatMap(\.spans) {
      #expect(span.text.unicodeScalars.allSatisfy { isSafe($0) || $0 == "\n" }, "\(html)")
      switch span.kind {
      case .link(let url), .mention(let url):
        #expect(url.unicodeScalars.allSatisfy(isSafe), "\(html)")
        #expect(!url.lowercased().hasPrefix("javascript"), "\(html)")
      case .tag(let name): #expect(name.unicodeScalars.allSatisfy(isSafe), "\(html)")
      case .text, .code: break
      }
    }
  }

  private static func expectTidy(_ text: RichText, _ html: String) {
    for paragraph in text.paragraphs {
      #expect(!paragraph.plainText.isEmpty, "\(html)")
      if paragraph.style == .code { continue }
      #expect(!paragraph.plainText.contains("\n\n"), "\(html)")
      #expect(paragraph.plainText.first != "\n" && paragraph.plainText.last != "\n", "\(html)")
    }
  }

  static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !(0x202A...0x202E).contains(scalar.value)
  }
}
