import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleReplay

/// Output for terminals with graphics, as recorded by tapes.
@Suite(.bounded) struct PictureBytesTests {
  private static let tapes = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Tapes").path

  /// The output of a tape's step, and the screen after it.
  private struct Step {
    var sent: [UInt8]
    var screen: Snapshot
  }

  private func steps(of tape: String, _ program: Program) async throws -> [Step] {
    let outcome = try await program.run("replay", "\(Self.tapes)/\(tape).tape", "--steps", "steps")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let files = program.files().filter { $0.path.hasPrefix("steps/") }
    let bytes = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.bytes) })
    return try bytes.keys.filter { $0.hasSuffix(".snapshot") }.sorted().map { path in
      Step(
        sent: Array(bytes[path.replacing(".snapshot", with: ".out")] ?? Data()),
        screen: try Snapshot(parsing: String(decoding: bytes[path] ?? Data(), as: UTF8.self)))
    }
  }

  @Test(arguments: ["pictures-sixel", "pictures-file"])
  func `a picture covers only the viewer's blank cells and is erased afterwards`(tape: String) async throws {
    try await Program.inNewHome { program in
      var cells: PictureCells?
      var (size, drawn, before) = (Size.zero, 0, 0)
      for step in try await steps(of: tape, program) {
        // The output for a new size starts with an empty screen.
        if step.screen.size != size {
          size = step.screen.size
          before += cells?.drawnCount ?? 0
          cells = PictureCells(size: size, cell: .common)
        }
        cells?.take(step.sent)
        let marked = cells?.marked ?? []
        if !marked.isEmpty { drawn += 1 }
        let title = step.screen.text(ofRow: 1)
        #expect(marked.isEmpty || title.contains("Picture"), "\(title)")
        #expect(marked.allSatisfy { step.screen.cells[$0.row][$0.column].text == " " })
      }
      let last = try #require(cells)
      #expect(last.marked.isEmpty && drawn > 8)
      // Drawn whole, enlarged, in two more sizes, and again after it was covered.
      #expect((5...10).contains(before + last.drawnCount), "\(before + last.drawnCount)")
    }
  }

  @Test func `kitty receives each picture once as a PNG sized to its cells`() async throws {
    try await Program.inNewHome { program in
      var pictures: [(keys: [String: Int], png: [UInt8])] = []
      var data = ""
      for sequence in try await steps(of: "pictures-kitty", program).flatMap({ TerminalSequence.all(in: $0.sent) }) {
        guard case .string(introducer: UInt8(ascii: "_"), let content) = sequence.kind else { continue }
        let parts = String(decoding: content.dropFirst(), as: UTF8.self).split(separator: ";", maxSplits: 1)
        let pairs = parts[0].split(separator: ",").map { $0.split(separator: "=") }
        let keys = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int($0[1]) ?? 0) })
        // A command that deletes a picture has no data.
        guard let more = keys["m"], parts.count == 2 else { continue }
        if keys["i"] != nil {
          pictures.append((keys, []))
          data = ""
        }
        data += parts[1]
        if more == 0 { pictures[pictures.count - 1].png = Array(try #require(Data(base64Encoded: data))) }
      }
      // One in the list, one in the viewer.
      #expect(pictures.count == 2 && Set(pictures.compactMap { $0.keys["i"] }).count == 2)
      for (keys, png) in pictures {
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        func number(at place: Int) -> Int { png[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        #expect(number(at: 16) == 8 * (keys["c"] ?? 0) && number(at: 20) == 16 * (keys["r"] ?? 0))
      }
    }
  }
}
