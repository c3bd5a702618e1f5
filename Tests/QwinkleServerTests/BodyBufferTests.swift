import Foundation
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Request bodies while they are received.
@Suite(.bounded) struct BodyBufferTests {
  private static let most = BodyBuffer.mostBytesInMemory

  /// Bytes whose period doesn't divide a power of two, so that a lost or repeated part shows.
  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

  @Test(arguments: [1000, 10_000, most, most + 1, 3 * most])
  func `only the end of a long body is in memory but all of it can be read`(part: Int) async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let all = Self.bytes(5 * Self.most)
      let body = BodyBuffer(directory: directory)
      for start in stride(from: 0, to: all.count, by: part) {
        let end = min(start + part, all.count)
        #expect(body.append(all[start..<end]))
        #expect(body.bytesInMemory <= Self.most)
        #expect(body.count == end)
        #expect(body.isInFile == (end > Self.most))
      }
      // A failed `#expect(a == b)` would print all bytes.
      let isWhole = body.whole() == all
      #expect(isWhole)
    }
  }

  @Test func `a body is rejected when its file can't be created`() {
    let body = BodyBuffer(directory: "/dev/null/nowhere")
    #expect(body.append(Self.bytes(Self.most)))
    #expect(!body.append([0]))
  }
}
