import FoundationEssentials
import QwinkleReplay
import Testing

/// A tape in Tapes/.
struct TapeFile: CustomTestStringConvertible {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Tapes")

  let name: String

  var testDescription: String { name }

  func text() throws -> String {
    String(decoding: try Data(contentsOf: Self.folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// Tapes with all commands in the VHS documentation.
  static let vhs: [TapeFile] = {
    let folder = Self.folder.appendingPathComponent("vhs")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".tape") }.sorted().map { TapeFile(name: "vhs/\($0)") }
  }()
}

/// Parses a tape that doesn't source other tapes.
func tape(_ text: String) throws -> Tape {
  try TapeParser.parse(text, name: "test.tape") { path in throw NoTape(path: path) }
}

/// Returns the only step of a tape.
func step(_ text: String) throws -> TapeStep {
  let tape = try tape(text)
  #expect(tape.commands.count == 1)
  return try #require(tape.commands.first).step
}

/// Returns the errors in a tape, one line each.
func faults(of text: String) -> [String] {
  do throws(TapeErrors) {
    _ = try TapeParser.parse(text, name: "t") { path in throw NoTape(path: path) }
    return []
  } catch {
    return error.errors.map(\.description)
  }
}

struct NoTape: Error, CustomStringConvertible {
  let path: String
  var description: String { "there is no \(path)" }
}
