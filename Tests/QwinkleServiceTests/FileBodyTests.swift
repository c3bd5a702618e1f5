import HTTPTypes
import NIOCore
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleService

/// Files in request bodies.
@Suite(.bounded) struct FileBodyTests {
  private let folder = UploadFolder()

  /// A body with a file of 1 MB.
  private func body() throws -> FileBody {
    let path = try folder.write("quay.png", mark: "quay", size: 1 << 20)
    return FileBody(start: Array("start ".utf8), file: try DiskFile(path: path), end: Array(" end".utf8))
  }

  @Test func `a file is sent in small pieces`() async throws {
    let body = try body()
    let sent = Mutex<[Int]>([])
    var bytes: [UInt8] = []
    for try await piece in BodyPieces(body, didSend: { count in sent.withLock { $0.append(count) } }) {
      #expect(piece.readableBytes <= BodyPieces.bytes)
      bytes += Array(piece.readableBytesView)
    }
    #expect(try bytes == body.bytes() && bytes.count == body.count)
    let counts = sent.withLock { $0 }
    #expect(counts == counts.sorted() && counts.last == body.count)
  }

  @Test func `a server receives a file whole`() async throws {
    let body = try body()
    try await withServer(script: { _ in .answer(204) }) { server in
      try await withTransport { transport in
        var request = TransportRequest.to(server.url, method: .post)
        request.file = body
        let response = try await transport.send(request)
        #expect(response.head.status.code == 204)
        let seen = try #require(server.requests.first)
        #expect(seen.field("Content-Length") == "\(body.count)")
        #expect(try seen.body == body.bytes())
      }
    }
  }

  @Test(arguments: FileChange.allCases, [1, 500_000])
  func `a file that changes during its upload never arrives whole`(change: FileChange, after count: Int) async throws {
    let body = try body()
    try await withServer(script: { _ in .answer(204) }) { server in
      try await withTransport { transport in
        let hasChanged = Mutex(false)
        var request = TransportRequest.to(server.url, method: .post)
        request.file = body
        request.didSend = { sent in
          hasChanged.withLock { hasChanged in
            guard sent >= count, !hasChanged else { return }
            hasChanged = true
            do { try change.apply(to: body.file.path) } catch { Issue.record(error) }
          }
        }
        let error = await failure(of: request, through: transport)
        #expect(error == TransportError(change.fault))
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test(arguments: FileChange.allCases)
  func `a transport without file support gets the file's bytes or the same error`(change: FileChange) async throws {
    let transport = ScriptedTransport { _ in .json(Array("{}".utf8)) }
    let lazy = LazyTransport { transport }
    var request = TransportRequest.to("https://tilde.example", method: .post)
    let body = try body()
    request.file = body
    _ = try await lazy.send(request)
    let bytes = try body.bytes()
    #expect(transport.requests.map(\.body) == [bytes])
    try change.apply(to: body.file.path)
    let error = await failure(of: request, through: lazy)
    #expect(error == TransportError(change.fault))
    #expect(transport.requests.count == 1)
  }
}
