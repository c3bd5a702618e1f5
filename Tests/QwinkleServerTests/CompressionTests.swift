import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleServer

/// gzip compression of responses.
@Suite(.bounded) struct CompressionTests {
  @Test func `a long page is compressed for clients that accept gzip`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      for number in 0..<20 { try await harness.post("post \(number)", token: token) }
      func ask(_ path: String, _ field: String) async throws -> String {
        let client = try RawClient(port: harness.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: \(harness.authority)\r\n\(field)Connection: close\r\n\r\n")
        return await client.readAll()
      }
      let path = "/api/v1/timelines/public"
      let plain = try await ask(path, "")
      let packed = try await ask(path, "Accept-Encoding: gzip\r\n")
      #expect(plain.contains("\r\nVary: Accept-Encoding\r\n") && !plain.contains("Content-Encoding"))
      #expect(packed.contains("\r\nContent-Encoding: gzip\r\n"))
      #expect(packed.utf8.count * 3 < plain.utf8.count)
      let short = try await ask("/health", "Accept-Encoding: gzip\r\n")
      #expect(!short.contains("Content-Encoding"))
      // URLSession requests gzip and decompresses it automatically.
      #expect(try await harness.page(path).items.count == 20)
    }
  }

  @Test(arguments: [
    ([], false), (["gzip"], true), (["deflate, GZIP;q=0.5"], true), (["gzip;q=0"], false), (["*"], true),
    (["identity, *;q=0"], false), (["br", "gzip"], true), (["gzip; q=0, *"], false),
  ])
  func `responses are compressed only if the client accepts gzip`(values: [String], isAccepted: Bool) {
    #expect(Compression.isAccepted(values) == isAccepted)
  }
}
