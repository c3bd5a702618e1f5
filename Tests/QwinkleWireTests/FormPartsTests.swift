import QwinkleWire
import TerminalTesting
import Testing

@Suite struct FormPartsTests {
  private static let type = "multipart/form-data; boundary=xyz"

  private static func parts(_ body: String, _ type: String = type) throws -> [FormParts.Part] {
    try FormParts(Array(body.utf8), contentType: type).parts
  }

  /// The body of a form with these values, as clients encode it.
  private static func body(_ fields: [(name: String, value: String)], boundary: String = "xyz") -> String {
    fields.map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }
      .joined()
      + "--\(boundary)--\r\n"
  }

  @Test func `values and files are read in order`() throws {
    let body = """
      a preamble\r\n--xyz  \r\nContent-Type: text/plain\r\ncontent-disposition:form-data;name=one\r\n\r\n1\r\n--xyz\r\n\
      Content-Disposition: form-data; name="f"; filename="C:\\dir \\"x\\".png"\r\nContent-Type: image/png\r\n\r\n\
      \u{89}PNG\r\n\n\r\n--xyz\r\nContent-Disposition: form-data; name="two"\r\n\r\n\r\n--xyz--\r\nan epilogue\r\n--xyz
      """
    let parts = try Self.parts(body)
    #expect(parts.map(\.name) == ["one", "f", "two"])
    #expect(parts.map(\.text) == ["1", "\u{89}PNG\r\n\n", ""])
    #expect(parts.map { $0.fileName != nil } == [false, true, false])
    let form = try FormParts(Array(body.utf8), contentType: Self.type)
    #expect(form["one"] == "1" && form["two"] == "" && form["f"] == nil && form["three"] == nil)
  }

  @Test(arguments: [
    "a\r\n--xy\r\n--xyzz\r\n --xyz\r\n--xyz!", "\r\n\r\n", "-", "--", "--xyz", "x--xyz--\r\n", "a\nb", "世界 \u{1F600}",
    "\r",
  ])
  func `a value may contain text that resembles a delimiter`(value: String) throws {
    // Clients avoid boundaries that a value starts with, because the value would be read as a delimiter.
    let boundary = value.hasPrefix("--xyz") ? "xyz2" : "xyz"
    let body = Self.body([("a", value), ("b", "2")], boundary: boundary)
    let parts = try Self.parts(body, "Multipart/Form-Data; Boundary=\"\(boundary)\"; charset=utf-8")
    #expect(parts.map(\.text) == [value, "2"])
  }

  @Test func `line breaks without a carriage return are accepted`() throws {
    let body = Self.body([("a", "x"), ("b", "y")]).replacing("\r\n", with: "\n")
    #expect(try Self.parts(body).map(\.text) == ["x", "y"])
  }

  @Test func `parts without a name are skipped`() throws {
    let body = """
      --xyz\r\n\r\nnothing\r\n--xyz\r\nContent-Type: text/plain\r\n\r\nx\r\n--xyz\r\nno header\r\n--xyz\r\n\
      Content-Disposition: form-data\r\n\r\nx\r\n--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--xyz--
      """
    #expect(try Self.parts(body).map(\.name) == ["a"])
    #expect(try Self.parts("--xyz--").isEmpty)
  }

  @Test func `an incomplete form is rejected`() throws {
    let body = Array(Self.body([("status", "All of it"), ("visibility", "direct")]).utf8)
    // The last line break is optional.
    for length in 1..<(body.count - 2) {
      #expect(throws: WireError.truncated) { try FormParts(Array(body[..<length]), contentType: Self.type) }
    }
    #expect(try FormParts(Array(body.dropLast(2)), contentType: Self.type).parts.count == 2)
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary",
    "multipart/mixed; boundary=xyz",
    "text/plain", "", "multipart/form-data; boundary=\"" + String(repeating: "x", count: 201) + "\"",
  ])
  func `a content type without a valid boundary is rejected`(type: String) {
    #expect(throws: WireError.unexpected("a multipart form without a boundary")) {
      try Self.parts("--xyz--", type)
    }
  }

  @Test func `a form with too many parts is rejected`() throws {
    #expect(try Self.parts(Self.body((0..<1000).map { ("\($0)", "") })).count == 1000)
    #expect(throws: WireError.unexpected("a form with too many parts")) {
      try Self.parts(Self.body((0..<1001).map { ("\($0)", "") }))
    }
    #expect(throws: WireError.empty) { try Self.parts("") }
    let header = "X: " + String(repeating: "x", count: 9000) + "\r\n"
    let body = Self.body([("a", "1")]).replacing("xyz\r\nC", with: "xyz\r\n\(header)C")
    #expect(try Self.parts(body).isEmpty)
  }

  @MainActor
  @Test(arguments: ["--xy\r\n", "\r\n", "--xyz \t", "--xyz\r\n", "\n--xy", "--xyz\r\n:\r\n;=\"\\"])
  func `a form full of line starts is parsed in linear time`(piece: String) {
    let growth = Effort.growth(from: 50_000) { length in
      "--xyz\r\n" + String(repeating: piece, count: length / piece.utf8.count)
    } _: { body in
      _ = try? Self.parts(body)
    }
    #expect(growth < 9)
  }

  @Test(arguments: [Soak.seed]) func `malformed forms never crash the parser`(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    let body = Array(
      Self.body([("status", "Hello\r\n--xy"), ("media_ids[]", "1"), ("visibility", "direct")]).utf8)
    var (readCount, refusedCount) = (0, 0)
    for _ in 0..<Soak.runs(3000) {
      let damaged = FuzzTests.damaged(body, using: &generator)
      guard let form = try? FormParts(damaged, contentType: Self.type) else {
        refusedCount += 1
        continue
      }
      readCount += 1
      #expect(form.parts.count <= 3 + damaged.count / 10)
      #expect(form.parts.reduce(0) { $0 + $1.body.count } <= damaged.count)
      _ = try? RequestParameters(body: damaged, contentType: Self.type).entry()
    }
    #expect(readCount > 50 && refusedCount > 50, "\(readCount) read, \(refusedCount) refused")
  }
}
