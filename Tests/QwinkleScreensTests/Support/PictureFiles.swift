import Foundation
import Pictures
import QwinkleModel
import QwinkleTesting
import Synchronization
import Timekeeping

@testable import OnDemandResources
@testable import QwinkleScreens

/// Returns the same file for every address. Responses may be held by a gate.
final class PictureFiles: ResourceFetching {
  private let state = Mutex<[String]>([])
  let bytes: [UInt8]
  let gate: Gate?

  init(_ bytes: [UInt8], gate: Gate? = nil) {
    self.bytes = bytes
    self.gate = gate
  }

  /// The requested addresses, in order.
  var asked: [String] { state.withLock { $0 } }

  @concurrent func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult {
    state.withLock { $0.append(address) }
    if let gate {
      didReceive(ResourceAmount(received: 4, total: 10))
      await gate.whenOpen()
    }
    return .whole(bytes)
  }

  /// Returns a picture shelf that fetches from this object.
  @MainActor
  func shelf(for bench: any Paced) -> PictureShelf {
    PictureShelf(
      resources: ResourceManager(index: Memory(), fetcher: self, clock: bench.clock, ledger: bench.ledger),
      decoder: PictureDecoder(command: [Self.program, PictureChild.argument]), ledger: bench.ledger)
  }

  static func gradient() throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appending(path: "Fixtures/pictures/gradient.png")))
  }

  /// The built program, which decodes pictures in a child process.
  private static let program: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let beside = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    return [beside, Bundle.main.bundleURL.deletingLastPathComponent(), root.appending(path: ".build/debug")]
      .map { $0.appending(path: "qwinkle").path }.first { FileManager.default.isExecutableFile(atPath: $0) }
      ?? "qwinkle"
  }()

  /// Stores pictures in memory.
  private final class Memory: ResourceIndex {
    private let kept = Mutex<[String: [UInt8]]>([:])
    private let chosen = Mutex<[String: Double]>([:])
    @concurrent func priorities() async -> [String: Double] { chosen.withLock { $0 } }
    @concurrent func setPriority(_ priority: Double?, of tag: String) async { chosen.withLock { $0[tag] = priority } }
    @concurrent func all() async -> [CachedResource] { [] }
    @concurrent func bytes(of address: String) async -> [UInt8]? { kept.withLock { $0[address] } }
    @concurrent func keep(_ bytes: [UInt8], as resource: CachedResource) async throws(ResourceIndexError) {
      kept.withLock { $0[resource.address] = bytes }
    }
    @concurrent func note(_ resources: [CachedResource]) async {}
    @concurrent func remove(_ addresses: [String]) async {}
    @concurrent func part(of address: String) async -> PartialResource? { nil }
    @concurrent func keep(_ part: PartialResource, of address: String) async throws(ResourceIndexError) {}
  }
}
