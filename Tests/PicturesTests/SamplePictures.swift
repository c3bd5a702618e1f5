import Foundation
import Pictures
import TerminalTesting

/// Small pictures of the same gradient in each format, 96 by 64 pixels.
enum SamplePictures {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/pictures")

  static func bytes(_ format: PictureHeader.Format) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "gradient.\(format)")))
  }

  /// Path of the built program, which starts the child.
  static let program: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let beside = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let candidates = [beside, Bundle.main.bundleURL.deletingLastPathComponent(), root.appending(path: ".build/debug")]
    return candidates.map { $0.appending(path: "qwinkle").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "qwinkle"
  }()

  static func decoder() -> PictureDecoder { PictureDecoder(command: [program, PictureChild.argument]) }

  /// Returns a copy with random bytes changed, removed, repeated or cut off.
  static func mutated(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...16, using: &random)))
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(64), at: place)
      case 4: for index in place..<min(bytes.count, place + 4) { bytes[index] = 0xFF }
      default: bytes = Array(bytes.prefix(max(1, place)))
      }
    }
    return bytes
  }
}
