import Foundation
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Pictures saved as files.
@Suite(.bounded) struct PictureFileTests {
  /// A temporary folder, deleted on deinit.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/qwinkle-save-\(UUID().uuidString)"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init) }
    func file(_ typed: String) -> PictureFile { PictureFile(typed: typed, named: "bob.png", home: path) }
  }

  @Test func `a typed ~ is the home directory and a folder gets the picture's name`() throws {
    let folder = try Folder()
    #expect(folder.file("~/heron.png").path == "\(folder.path)/heron.png")
    #expect(folder.file("~/heron.png").words == "~/heron.png")
    #expect(folder.file("~").path == "\(folder.path)/bob.png")
    #expect(folder.file(folder.path).words == "~/bob.png")
    #expect(folder.file("/nowhere/new/").path == "/nowhere/new/bob.png")
    #expect(folder.file("/tmp/a\u{1B}[2Jb.png").words == "/tmp/a[2Jb.png")
  }

  @Test func `an existing file is replaced only on request`() async throws {
    let folder = try Folder()
    let file = folder.file("~/heron.png")
    try await file.write([1, 2, 3])
    #expect(folder.bytes("heron.png") == [1, 2, 3])
    await #expect(throws: PictureFileError.exists) { try await file.write([4]) }
    #expect(folder.bytes("heron.png") == [1, 2, 3])
    try await file.write([4, 5], isToBeReplaced: true)
    #expect(folder.bytes("heron.png") == [4, 5] && folder.names == ["heron.png"])
  }

  @Test func `a failed save reports its reason and leaves no file`() async throws {
    let folder = try Folder()
    for (typed, words) in [
      ("~/none/heron.png", PictureFileError.failed("heron.png", "No such file or directory").sentence),
      ("/dev/null", PictureFileError.isNoFile("null").sentence),
      ("/proc/heron.png", String(PictureFileError.failed("heron.png", "").sentence.dropLast())),
    ] {
      let file = folder.file(typed)
      for isToBeReplaced in [false, true] {
        let error = await #expect(throws: PictureFileError.self) {
          try await file.write([1], isToBeReplaced: isToBeReplaced)
        }
        #expect(error?.sentence.hasPrefix(words) == true, "\(error?.sentence ?? "")")
      }
    }
    #expect(folder.names.isEmpty)
  }
}
