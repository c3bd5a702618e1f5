import Foundation
import TerminalTesting
import Testing

/// Memory growth after many hostile pictures.
@Suite(.bounded) struct PictureMemoryTests {
  /// The benchmark program, which is next to `qwinkle`. A separate process does nothing else.
  private static let bench = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
    .appending(path: "qwinkle-bench").path

  @Test func `memory does not grow with the number of pictures`() async throws {
    try await Program.inNewHome { program in
      let outcome = try await ChildProcess.run(
        [Self.bench, "picture-memory", "\(Soak.runs(30, times: 10))"], environment: program.environment,
        directory: program.home, patience: .seconds(Soak.isOn ? 2400 : 240))
      let kilobytes = try #require(outcome.text.wholeMatch(of: #/(?s).*growth: (-?\d+) KB\s*/#), "\(outcome.text)")
      // Each picture takes 13 MB. The last one may not be released yet.
      #expect(try #require(Int(kilobytes.output.1)) < 20 << 10, "\(outcome.text)")
      #expect(outcome.text.contains("too many pixels") && outcome.text.contains("damaged"), "\(outcome.text)")
      #expect(!outcome.text.contains(#/\d shown/#), "\(outcome.text)")
    }
  }
}
