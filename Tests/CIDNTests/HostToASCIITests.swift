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
    // Non-transitional, as browsers do: ß is a letter of its own.
    ("stra\u{DF}e.example", "xn--strae-oqa.example"), ("B\u{DC}CHER.example", "xn--bcher-kva.example"),
    // Composed and decomposed are the same name.
    ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("faß。example", "xn--fa-hia.example"),
  ])
  func `a name is written as the network asks for it`(host: String, expected: String) {
    #expect(ascii(host) == expected)
  }

  @Test(arguments: [
    "-\u{FC}.example", "\u{FC}\u{200B}\u{2028}.example", String(repeating: "ü", count: 64),
  ])
  func `what is no name of a host is refused`(host: String) {
    #expect(ascii(host) == nil)
  }

  @Test func `a name that does not fit is refused, not cut`() {
    #expect(ascii("b\u{FC}cher.example", size: 21) == "xn--bcher-kva.example")
    #expect(ascii("b\u{FC}cher.example", size: 20) == nil)
  }

  @Test func `many threads may be the first to ask`() async {
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<16 { group.addTask { ascii("b\u{FC}cher.example") } }
      for await name in group { #expect(name == "xn--bcher-kva.example") }
    }
  }
}
