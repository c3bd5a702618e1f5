import QwinkleReplay
import Testing

@Suite struct TapeDocumentationTests {
  @Test(arguments: TapeFile.vhs)
  func `what VHS's documentation shows is a tape`(file: TapeFile) throws {
    let tape = try TapeParser.parse(try file.text(), name: file.name) { path in try TapeFile(name: "vhs/\(path)").text()
    }
    #expect(!tape.commands.isEmpty)
  }

  @Test func `the tapes are there`() {
    #expect(TapeFile.vhs.count >= 14)
  }
}
