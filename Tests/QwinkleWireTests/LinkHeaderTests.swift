import QwinkleWire
import TerminalTesting
import Testing

@Suite struct LinkHeaderTests {
  @Test(arguments: [
    ("<https://e.org/a?max_id=1>; rel=\"next\", <https://e.org/a?min_id=2>; rel=\"prev\"", "1", "2"),
    ("<https://e.org/a?max_id=1>;rel=next,<https://e.org/a?min_id=2>;REL=previous", "1", "2"),
    ("<https://e.org/a?x=1,2;3&max_id=1>; title=\"a, <b>; rel=\\\"prev\\\"\"; rel=\"up NEXT\"", "1", nil),
    ("<https://e.org/a?max_id=1>; rel=\"next prev\"", "1", "1"),
    ("  , <https://e.org/a?max_id=1> ; rel = \"next\" ; rel=prev", "1", nil),
    ("garbage; rel=next, <>; rel=next, <https://e.org/a?max_id=1>; rel=next, <https://e.org/?no>; rel=next", "1", nil),
    ("", nil, nil), ("<", nil, nil), ("<https://e.org/a", nil, nil), ("<a>", nil, nil), ("<a>; rel=\"next", "a", nil),
    ("<a>; =x; ; rel", nil, nil), ("\"<a>; rel=next", "a", nil),
  ])
  func `links are found despite malformed parts`(_ value: String, _ next: String?, _ previous: String?) {
    let header = LinkHeader(parsing: value)
    #expect(header.next?.split(separator: "=").last.map(String.init) == next)
    #expect(header.previous?.split(separator: "=").last.map(String.init) == previous)
  }

  @Test func `a written header is read back unchanged`() {
    for header in [
      LinkHeader(), LinkHeader(next: "/api/v1/timelines/home?max_id=1&limit=20"),
      LinkHeader(next: "https://e.org/?a=1,2;b=\"x\"", previous: "https://e.org/?c"),
    ] {
      #expect(LinkHeader(parsing: header.value ?? "") == header)
    }
    #expect(LinkHeader().value == nil)
    #expect(LinkHeader(next: "a>b\r\nc d").value == "<a%3Eb%0D%0Ac%20d>; rel=\"next\"")
  }

  @MainActor
  @Test(arguments: ["<a>;", "<a>; rel=\"", "<", "\"", "a=\"\\", ";"])
  func `a very long header is parsed in linear time`(piece: String) {
    let growth = Effort.growth(from: 15_000) {
      String(repeating: piece, count: $0)
    } _: { header in
      _ = LinkHeader(parsing: header)
    }
    #expect(growth < 9)
  }
}
