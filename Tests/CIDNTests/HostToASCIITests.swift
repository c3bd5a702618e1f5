import CIDN
import Testing

@Suite struct HostToASCIITests {
  private func ascii(_ host: String, size: Int = 255) -> String? {
    var count: Int32 = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      count = qw_host_to_ascii(host, buffer.baseAddress, size)
      initialized = max(0, Int(count))
    }
    return count < 0 ? nil : String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("example.org", "example.org"), ("b\u{FC}cher.example", "xn--bcher-kva.example"),
    // Browsers use non-transitional processing, which preserves ß.
    ("stra\u{DF}e.example", "xn--strae-oqa.example"), ("B\u{DC}CHER.example", "xn--bcher-kva.example"),
    // Composed and decomposed forms are equivalent.
    ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("faß。example", "xn--fa-hia.example"),
  ])
  func `an internationalized host name is converted to Punycode`(host: String, expected: String) {
    #expect(ascii(host) == expected)
  }

  @Test(arguments: [
    "-\u{FC}.example", "\u{FC}\u{200B}\u{2028}.example", String(repeating: "ü", count: 64),
  ])
  func `an invalid host name is rejected`(host: String) {
    #expect(ascii(host) == nil)
  }

  @Test func `a name too long for the buffer is rejected rather than truncated`() {
    #expect(ascii("b\u{FC}cher.example", size: 21) == "xn--bcher-kva.example")
    #expect(ascii("b\u{FC}cher.example", size: 20) == nil)
  }

  @Test func `concurrent first calls all succeed`() async {
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<16 { group.addTask { ascii("b\u{FC}cher.example") } }
      for await name in group { #expect(name == "xn--bcher-kva.example") }
    }
  }
}
