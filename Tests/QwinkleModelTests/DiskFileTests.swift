import Foundation
import QwinkleModel
import QwinkleTesting
import Testing

/// Files that are read while they are uploaded.
@Suite struct DiskFileTests {
  private let folder = UploadFolder()

  @Test func `a file is read in pieces`() throws {
    let path = try folder.write("quay.png", mark: "quay", size: 2500)
    let file = try DiskFile(path: path)
    let reader = try DiskFile.Reader(file)
    var pieces: [[UInt8]] = []
    repeat { pieces.append(try reader.next(most: 1000)) } while pieces.last?.isEmpty == false
    #expect(pieces.map(\.count) == [1000, 1000, 500, 0])
    #expect(try pieces.flatMap(\.self) == Array(Data(contentsOf: URL(filePath: path))))
    #expect(try file.start(most: 4) == Array("quay".utf8))
    #expect(try file.bytes() == pieces.flatMap(\.self))
  }

  @Test(arguments: FileChange.allCases)
  func `reading fails once the file has changed`(change: FileChange) throws {
    let path = try folder.write("quay.png", mark: "quay", size: 2500)
    let file = try DiskFile(path: path)
    let reader = try DiskFile.Reader(file)
    _ = try reader.next(most: 1000)
    try change.apply(to: path)
    #expect(throws: change.fault) { try reader.next(most: 1000) }
    #expect(throws: change.fault) { try file.bytes() }
  }

  @Test func `folders, devices and missing files are rejected`() throws {
    try folder.write("quay.png", mark: "quay")
    #expect(throws: DiskFile.Fault.isFolder) { try DiskFile(path: folder.path) }
    #expect(throws: DiskFile.Fault.unreadable) { try DiskFile(path: "/dev/zero") }
    #expect(throws: DiskFile.Fault.missing) { try DiskFile(path: "\(folder.path)/other.png") }
  }
}
