import Foundation
import HTTPTypes
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleReplay

/// A cassette that is written to disk exchange by exchange.
@Suite(.bounded) struct CassetteFileWriterTests {
  private let path = NSTemporaryDirectory() + "/qwinkle-cassette-\(UUID().uuidString).har"

  private var bytes: [UInt8] { FileManager.default.contents(atPath: path).map(Array.init) ?? [] }

  private func request(_ name: String, token: String? = nil) -> TransportRequest {
    var request = TransportRequest(
      head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/\(name)"))
    if let token { request.head.headerFields[.authorization] = "Bearer \(token)" }
    return request
  }

  private func recorder(isPrivate: Bool = false, answer: @escaping @Sendable (String) -> String) throws -> (
    RecordingTransport, CassetteFileWriter
  ) {
    let file = CassetteFileWriter(try GrowingFile(path: path, overwriting: false), isPrivate: isPrivate)
    let other = AnsweringTransport { .success(.with(answer($0.head.path ?? ""))) }
    return (RecordingTransport(other, clock: VirtualClock(), isPrivate: isPrivate, file: file), file)
  }

  @Test func `the file is valid before, between and after exchanges`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (recorder, file) = try recorder { "[\"\($0) 世界\"]" }
    #expect(try Cassette(har: bytes) == Cassette())
    for count in 1...4 {
      _ = try await recorder.send(request("\(count)", token: count > 2 ? "a-long-token" : nil))
      #expect(try Cassette(har: bytes) == recorder.cassette)
      #expect(recorder.cassette.entries.count == count)
    }
    try file.finish(with: recorder.cassette)
    #expect(try bytes == recorder.cassette.har())
  }

  @Test func `an exchange that ends after the recording is ignored`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (recorder, file) = try recorder { "[\"\($0)\"]" }
    _ = try await recorder.send(request("1"))
    let recorded = recorder.cassette
    try file.finish(with: recorded)
    _ = try await recorder.send(request("2", token: "a-long-token"))
    let read = try Cassette(har: bytes)
    #expect(read == recorded)
  }

  @Test func `a private cassette is marked private from the first byte`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try recorder(isPrivate: true) { $0 }
    #expect(try Cassette(har: bytes) == Cassette(isPrivate: true))
  }

  @Test func `a truncated file contains all exchanges before the cut`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (recorder, _) = try recorder { "{\"text\":\"\($0) ]}}, {\"}" }
    for count in 1...3 { _ = try await recorder.send(request("\(count)")) }
    let whole = bytes
    let entries = recorder.cassette.entries
    let start = try #require(whole.firstRange(of: Array(#""entries":["#.utf8))).upperBound
    var counts: Set<Int> = []
    for end in start..<whole.count {
      let read = try Cassette(har: Array(whole[..<end]))
      #expect(read.entries == Array(entries.prefix(read.entries.count)), "cut at \(end)")
      counts.insert(read.entries.count)
    }
    #expect(counts == [0, 1, 2, 3])
  }

  @Test func `a secret discovered later is removed from entries already written`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let secret = "CANARY-SECRET-TOKEN"
    let (recorder, _) = try recorder { _ in "[\"said openly: \(secret)\"]" }
    _ = try await recorder.send(request("1"))
    #expect(String(decoding: bytes, as: UTF8.self).contains(secret))
    _ = try await recorder.send(request("2", token: secret))
    #expect(!String(decoding: bytes, as: UTF8.self).contains(secret))
    _ = try await recorder.send(request("3"))
    #expect(!String(decoding: bytes, as: UTF8.self).contains(secret))
    #expect(try Cassette(har: bytes).entries.count == 3)
  }
}
