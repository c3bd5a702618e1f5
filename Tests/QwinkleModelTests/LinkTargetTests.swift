import QwinkleModel
import Testing

@Suite struct LinkTargetTests {
  @Test(arguments: [
    ("https://example.org/kiosk?a=$(id)&b='x'", "https://example.org/kiosk?a=$(id)&b='x'"),
    ("HTTPS://Example.ORG:8080/A", "https://example.org:8080/A"),
    ("https://bücher.example/ä?ö#ü", "https://xn--bcher-kva.example/%C3%A4?%C3%B6#%C3%BC"),
    ("https://example.org/%C3%A4", "https://example.org/%C3%A4"),
    ("https://a@b@example.org/\"<x>", "https://a%40b@example.org/%22%3Cx%3E"),
    ("https://１２７.0.0.1/", "https://127.0.0.1/"), ("https://bank。evil.example", "https://bank.evil.example"),
  ])
  func `the target of a web address is printable ASCII`(url: String, target: String) throws {
    let address = try #require(WebAddress(url))
    #expect(address.target == target)
    #expect(address.target.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    #expect(WebAddress(address.target)?.hostName.ascii == address.hostName.ascii)
  }

  @Test func `backslashes and combining marks do not change the displayed host`() throws {
    let backslash = try #require(WebAddress("https://evil.example\\@bank.example/?\\"))
    #expect(backslash.hostName.words == "evil.example")
    #expect(backslash.target == "https://evil.example/@bank.example/?%5C")
    let mark = try #require(WebAddress("https://evil.example/\u{301}@bank.example/"))
    #expect(mark.hostName.words == "evil.example" && mark.target == "https://evil.example/%CC%81@bank.example/")
  }

  @Test func `a displayed address has both forms of the host and no user`() {
    #expect(WebAddress("https://bücher.example:8/ä/")?.words == "bücher.example (xn--bcher-kva.example):8/ä")
    #expect(WebAddress("https://bank.example@evil.example/x")?.words == "evil.example/x")
    #expect(WebAddress("https://bank.example@evil.example/x")?.namesUser == true)
    #expect(HostName("FASS.example")?.words == "fass.example")
    #expect(HostName("faß.example")?.ascii == "xn--fa-hia.example")
  }

  @Test(arguments: [
    "☃.net", "-ü.example", "a..b", "", ".", "a\u{0}ü.b", "xn--a.ü", "a%b.ü", String(repeating: "ü", count: 400),
  ])
  func `an invalid host name is rejected`(name: String) {
    #expect(HostName(name) == nil)
    #expect(WebAddress("https://\(name)/") == nil)
  }

  @Test func `any other URL is encoded as ASCII`() {
    #expect(PercentEncoding.encoded("mailto:ü@x y\u{1B}") == "mailto:%C3%BC@x%20y%1B")
  }
}
