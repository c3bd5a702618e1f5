import Foundation
import HTTPTypes
import OnDemandResources
import Pictures
import QwinkleApp
import QwinkleService
import QwinkleStore
import QwinkleWire
import Synchronization
import Terminal
import Timekeeping

/// The growth of the program's memory while it loads large files that can't be shown, one after another. The files are
/// fetched, cached, decoded and purged like pictures. Runs in a process that does nothing else.
@MainActor
struct PictureMemoryBench {
  /// The command. Optional arguments are the number of files, and `untuned` to skip the program's memory settings.
  static let command = "picture-memory"
  /// Number of files loaded before memory is first measured.
  private static let first = 8

  func run(_ count: Int, isTuned: Bool = true) async {
    if isTuned { ProcessMemory.returnLargeBlocks() }
    await withTemporaryFolder("picture-memory") { await run(count, in: $0) }
  }

  private func run(_ count: Int, in folder: String) async {
    let transport = HostileFiles()
    let media = MediaService(
      rules: MediaRules(serverURL: "http://localhost"), own: { transport }, others: { transport })
    let manager = ResourceManager(
      index: ResourceFiles(directory: folder), fetcher: MediaFetcher(media), clock: SystemClock(),
      ledger: ActivityLedger())
    let decoder = PictureDecoder()
    var before = 0
    var refused: [String: Int] = [:]
    for number in 0..<(Self.first + count) {
      if number == Self.first { before = Self.memory() }
      let words = await Self.show("http://localhost/\(number)", manager, decoder)
      refused[words, default: 0] += 1
    }
    let after = Self.memory()
    print("\(refused.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
    print("memory after \(Self.first) hostile pictures: \(before >> 10) KB; after \(count) more: \(after >> 10) KB")
    print("growth: \((after - before) >> 10) KB")
  }

  /// Fetches and decodes a picture as a screen would, then releases it. Returns the outcome as text.
  private static func show(_ address: String, _ manager: ResourceManager, _ decoder: PictureDecoder) async -> String {
    let tag = ResourceTag(address)
    manager.setResources([address], for: tag)
    let request = manager.request([tag], isByKey: true)
    let error = await withCheckedContinuation { done in request.begin { done.resume(returning: $0) } }
    defer { request.end() }
    if let error { return error.sentence }
    guard let bytes = await request.bytes(of: address) else { return "gone" }
    do throws(PictureError) {
      _ = try await decoder.picture(from: bytes, PictureOrder(room: Size(rows: 8, columns: 24)))
      return "shown"
    } catch {
      return error.sentence
    }
  }

  /// Returns the anonymous memory of this process, in bytes.
  private static func memory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
  }
}

/// Serves a file of 13 MB at each address. The files differ, and alternate between several kinds of malformed pictures.
private struct HostileFiles: Transport {
  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let number = Int((request.head.path ?? "").dropFirst()) ?? 0
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = "image/png"
    return TransportResponse(head: head, body: Self.file(number))
  }

  private static func file(_ number: Int) -> [UInt8] {
    func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    func png(_ width: Int, _ height: Int) -> [UInt8] {
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(width) + big(height)
        + [8, 2, 0, 0, 0] + big(0)
    }
    let start: [UInt8] =
      switch number % 5 {
      case 0: png(100_000, 100_000)
      case 1: png(4000, 3000)
      // A JPEG of 4000 by 3000 that ends within its scan.
      case 2: [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x0B, 0xB8, 0x0F, 0xA0, 1, 1, 0x11, 0]
      case 3: Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xF7, 0, 0]
      default: Array("<html><script>alert(1)</script>".utf8)
      }
    return start + [UInt8](repeating: UInt8(1 + number % 250), count: 13 << 20) + big(number)
  }
}
