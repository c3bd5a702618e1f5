import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleWire

@Suite struct HTMLReaderTests {
  private typealias Span = RichText.Span

  private static func spans(_ html: String) -> [Span] {
    HTMLReader.richText(from: html).paragraphs.flatMap(\.spans)
  }

  @Test(arguments: [
    ("<p>One</p><p>Two<br>three<br/>four</p>", "One\n\nTwo\nthree\nfour"),
    ("one<br>two<br><br>three<br>", "one\ntwo\n\nthree"),
    ("<div>a</div>b<div>c</div>", "a\n\nb\n\nc"),
    ("<p>a\n   b</p>\n\n<p>\n c </p>", "a b\n\nc"),
    ("<p>a  b</p><p>  in</p>", "a  b\n\n  in"),
    ("<p></p><p>&nbsp;</p><p>x</p><p> </p>", "x"),
    ("plain\ntext  here\n\nnext < 3 & so on", "plain\ntext  here\n\nnext < 3 & so on"),
    ("&lt;b&gt; &amp;lt; &quot;&apos;&#39;&hellip;&ndash;&mdash;&copy;&euro;&#8364;&#x20ac;", "<b> &lt; \"''…–—©€€€"),
    ("&and=more&nosuch;&;&#;&#x;&", "&and=more&nosuch;&;&#;&#x;&"),
    ("a&#27;[2Jb&#155;c&#x202e;d&#0;e&#xD800;f&#99999999;", "a[2Jb›cd\u{FFFD}e\u{FFFD}f\u{FFFD}"),
    ("<p>x<script>alert('<p>')</script>y<style>p{}</style><!-- <p>no --></p>z", "xy\n\nz"),
    ("<p>a <unknown x='>'>b</unknown> <3 c</p>", "a b <3 c"),
    ("a <b and c", "a <b and c"), ("a <!-- b", "a"), ("<p>a</p", "a</p"), ("<", "<"), ("", ""), ("<p", "<p"),
    ("<img src=x alt=':cat:'> <img>ok", ":cat: ok"),
    ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢(かん)"),
    ("<SCRIPT>x</sCrIpT >y", "y"), ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", " a b\n c"),
    ("<p>a</p></p></div></b></a>b", "a\n\nb"), ("a</br>b", "a\nb"),
  ])
  func `HTML is converted to readable text`(_ html: String, _ text: String) {
    #expect(HTMLReader.richText(from: html).plainText == text)
  }

  @Test(arguments: [
    ("<p class=\"quote-inline\">RE: <a href=\"https://e.org/1\">e.org/1</a></p><p>Yes</p>", "Yes"),
    ("<p class=quote-inline>RE: <a href=https://e.org/1><span class=invisible>https://</span></a><p>Yes", "Yes"),
    ("Yes<span class=\"quote-inline\"><br><br>RE: <a href=\"https://e.org/1\">e.org/1</a></span> and no", "Yes and no"),
    ("<div class=quote-inline><p>RE: x</p></div><p>Yes</p>", "Yes"), ("<p class=\"quote\">Yes</p>", "Yes"),
  ])
  func `the link to a quote is removed only if the quote is shown`(_ html: String, _ text: String) {
    #expect(HTMLReader.richText(from: html, omitsQuotes: true).plainText == text)
    #expect(HTMLReader.richText(from: html).plainText.contains("RE: ") == html.contains("RE: "))
  }

  @Test func `links show their visible text and store their URL`() {
    let spans = Self.spans(
      "<p>See <a href=\"https://example.org/page/with/path?a=1&amp;b=2\" rel=\"nofollow\"><span class=\"invisible\">https://"
        + "</span><span class=\"ellipsis\">example.org/page</span><span class=\"invisible\">/with/path</span></a>.</p>")
    #expect(
      spans == [
        Span("See "), Span("example.org/page…", kind: .link(url: "https://example.org/page/with/path?a=1&b=2")),
        Span("."),
      ])
  }

  @Test func `mentions and tags are detected in every server's markup`() {
    let mention = Span("@alice", kind: .mention(url: "https://e.org/@alice"))
    let tag = Span("#tag", kind: .tag(name: "tag"))
    #expect(
      Self.spans(
        "<span class=\"h-card\"><a href=\"https://e.org/@alice\" class=\"u-url mention\">@<span>alice</span></a></span> "
          + "<a href=\"https://e.org/tags/tag\" class=\"mention hashtag\" rel=\"tag\">#<span>tag</span></a>")
        == [mention, Span(" "), tag])
    #expect(Self.spans("<a class='h-card u-author mention' href='https://e.org/@alice'>@alice</a>") == [mention])
    #expect(Self.spans("<a href=https://e.org/?t=tag rel='tag nofollow'>#tag</a>") == [tag])
    #expect(Self.spans("<a href=\"https://e.org/@alice\">@alice</a>").first?.kind == .link(url: "https://e.org/@alice"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVa\nScript:alert(1)", "data:text/html,x", "vbscript:x", "/relative", "file:///etc/passwd",
    "", "&#106;avascript:x", " javascript:x", "://x", "https:", "x",
  ])
  func `a link with an unusable URL becomes plain text`(_ url: String) {
    #expect(Self.spans("a <a href=\"\(url)\">b</a> c") == [Span("a b c")])
    #expect(Self.spans("<a class=mention href=\"\(url)\">@b</a>") == [Span("@b")])
  }

  @Test func `a link with only hidden text shows its URL`() {
    let url = "https://e.org/x"
    #expect(Self.spans("<a href=\"\(url)\"><span class=invisible>x</span></a>") == [Span(url, kind: .link(url: url))])
    #expect(Self.spans("<a href=\"\(url)\"></a>").isEmpty)
  }

  @Test func `emphasis and code are preserved`() {
    #expect(
      Self.spans("<b>a<i>b</b>c</i> <del>d</del> <code>e  f</code> <h1>g</h1>") == [
        Span("a", emphasis: .strong), Span("b", emphasis: [.strong, .emphasized]), Span("c "),
        Span("d", emphasis: .struck), Span(" "), Span("e  f", kind: .code), Span("g", emphasis: .strong),
      ])
  }

  @Test func `blocks are converted to styled paragraphs`() {
    let text = HTMLReader.richText(
      from: """
        <blockquote><p>q</p></blockquote>
        <ul>
          <li>a</li>
          <li>b
            <ol start="3"><li>c<li><p>d</p><p>e</p></ol>
          f</li>
        </ul>
        <pre><code>
        x  &lt; y

          z
        </code></pre>
        """)
    #expect(
      text.paragraphs == [
        .init([Span("q")], style: .quote), .init([Span("a")], style: .item(sign: "•", depth: 0)),
        .init([Span("b")], style: .item(sign: "•", depth: 0)), .init([Span("c")], style: .item(sign: "3.", depth: 1)),
        .init([Span("d")], style: .item(sign: "4.", depth: 1)), .init([Span("e")], style: .item(sign: "", depth: 1)),
        .init([Span("f")], style: .item(sign: "", depth: 0)),
        .init([Span("x  < y\n\n  z", kind: .code)], style: .code),
      ])
  }

  @MainActor
  @Test(
    arguments: [
      "<", "<a ", "<a href=\"", "</", "<!", "<!--", "<?", "&", "&#", "&#x", "&lt", "<p>", "<b>", "</b>", "<ul><li>",
      "<br>", "<a>", "<script>", "<a href=x>x<p>", "<span class=invisible>x", "<b><i>x</b>", "\n ", " \n", "<p> <br> ",
      "é\u{301}", "<a b c d e ", "<li>", "<pre>\n", "<a href='https://e.org'>x<b>", "a<br>",
    ])
  func `any HTML is parsed in linear time`(_ piece: String) {
    let growth = Effort.growth(from: 30_000) {
      String(repeating: piece, count: $0 / piece.utf8.count)
    } _: { html in
      _ = HTMLReader.richText(from: html)
    }
    #expect(growth < 9)
  }
}
