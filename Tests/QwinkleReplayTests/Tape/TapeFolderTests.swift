import Foundation
import Testing

@testable import QwinkleReplay

/// A tape writes only below its own folder.
@Suite struct TapeFolderTests {
  /// Runs `body` with a folder and with the tape folder `tapes` in it, which contains `below`. `elsewhere` and
  /// `tapes-too` must stay unchanged.
  private func inFolder(_ body: (String, TapeFolder) throws -> Void) throws {
    let folder = try #require(
      realpath(NSTemporaryDirectory(), nil).map { found in
        defer { free(found) }
        return String(cString: found) + "/qwinkle-tape-\(UUID().uuidString)"
      })
    for name in ["tapes/below", "elsewhere", "tapes-too"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try Data("kept".utf8).write(to: URL(fileURLWithPath: "\(folder)/elsewhere/x.txt"))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder, TapeFolder(ofTape: "\(folder)/tapes/a.tape"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/elsewhere") == ["x.txt"])
    #expect(FileManager.default.contents(atPath: "\(folder)/elsewhere/x.txt") == Data("kept".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tapes-too").isEmpty)
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  @Test func `files in the folder and below it are written`() throws {
    try inFolder { folder, tape in
      for name in ["x.txt", "below/x.txt", "./below/../y.txt", "\(folder)/tapes/below/z.txt"] {
        try tape.write(name, to: name)
        #expect(FileManager.default.contents(atPath: try tape.place(of: name)) == Data(name.utf8), "\(name)")
      }
      #expect(try tape.place(of: "./below/../y.txt") == "\(folder)/tapes/y.txt")
      // A link to a folder inside is followed.
      try link("\(folder)/tapes/inside", to: "below")
      #expect(try tape.place(of: "inside/x.txt") == "\(folder)/tapes/below/x.txt")
    }
  }

  @Test(arguments: [
    "../x.txt", "../elsewhere/x.txt", "below/../../elsewhere/x.txt", "FOLDER/elsewhere/x.txt", "../tapes-too/x.txt",
    "FOLDER/tapes/../elsewhere/x.txt", "/tmp/qwinkle-x.txt", "out/x.txt", "below/out/x.txt", "up/elsewhere/x.txt",
  ])
  func `nothing is written outside the folder by any path`(name: String) throws {
    try inFolder { folder, tape in
      try link("\(folder)/tapes/out", to: "../elsewhere")
      try link("\(folder)/tapes/below/out", to: "\(folder)/elsewhere")
      try link("\(folder)/tapes/up", to: "..")
      let name = name.replacing("FOLDER", with: folder)
      let error = #expect(throws: TapeFolderError.self) { try tape.write("bad", to: name) }
      #expect(error?.kind == .outside && error?.sentence.contains("below its own folder") == true)
    }
  }

  @Test func `a symbolic link is not followed and a hard link is replaced`() throws {
    try inFolder { folder, tape in
      try link("\(folder)/tapes/x.txt", to: "../elsewhere/x.txt")
      try link("\(folder)/tapes/dangling.txt", to: "../elsewhere/new.txt")
      for name in ["x.txt", "dangling.txt"] {
        let error = #expect(throws: TapeFolderError.self) { try tape.write("bad", to: name) }
        #expect(error?.kind == .link)
      }
      try FileManager.default.linkItem(atPath: "\(folder)/elsewhere/x.txt", toPath: "\(folder)/tapes/hard.txt")
      try tape.write("mine", to: "hard.txt")
      #expect(FileManager.default.contents(atPath: "\(folder)/tapes/hard.txt") == Data("mine".utf8))
    }
  }

  @Test(arguments: ["none/x.txt", "..", "below/..", "below/", "x.txt/y.txt"])
  func `a path that cannot be a file is rejected`(name: String) throws {
    try inFolder { _, tape in
      let error = #expect(throws: TapeFolderError.self) { try tape.write("bad", to: name) }
      #expect(error?.kind == .missing)
    }
  }
}
