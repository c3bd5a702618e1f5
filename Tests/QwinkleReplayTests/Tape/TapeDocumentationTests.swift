import QwinkleReplay
import Testing

@Suite struct TapeDocumentationTests {
  @Test(arguments: TapeFile.vhs)
  func `examples in the VHS documentation are valid tapes`(file: TapeFile) throws {
    let tape = try TapeParser.parse(try file.text(), name: file.name) { path in try TapeFile(name: "vhs/\(path)").text()
    }
    #expect(!tape.commands.isEmpty)
  }

  @Test func `the example tapes exist`() {
    #expect(TapeFile.vhs.count >= 14)
  }
}
