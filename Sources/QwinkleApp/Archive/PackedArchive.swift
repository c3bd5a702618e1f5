import Foundation
import LibC

/// A `.tar.gz` file that is made of an archive's folder with the system's `tar`.
struct PackedArchive: Sendable {
  static let ending = ".tar.gz"
  /// Enough for an archive with gigabytes of pictures.
  private static let limits = HelperProgram.Limits(time: .seconds(3600))

  let path: String

  /// Returns nil unless the name has the ending.
  init?(_ path: String) {
    guard path.hasSuffix(Self.ending), path.count > Self.ending.count, !path.hasSuffix("/\(Self.ending)") else {
      return nil
    }
    self.path = path
  }

  /// The folder that is packed, next to the file. An interrupted export leaves it.
  var folder: ArchiveFolder { ArchiveFolder("\(path).unpacked") }

  /// Checks before an export that the file can be made.
  func check() throws(AppError) {
    guard access(path, F_OK) != 0 else { throw .failed("\(path) exists already. Name a new file.") }
  }

  /// Packs the folder into the file, which only its owner can access, and removes the folder.
  func pack() async throws(AppError) {
    let part = "\(path).part"
    unlink(part)
    // `tar` keeps the permissions of an existing file.
    let file = systemOpen(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .failed("Can't write \(part): \(systemWords()).") }
    systemClose(file)
    let paths = [part, folder.path].map { URL(fileURLWithPath: $0).path }
    // As in Mastodon's archive, the files are at the top.
    let outcome = try await HelperProgram.run(
      ["tar", "-czf", paths[0], "-C", paths[1], "."], in: .background(input: []), mostBytes: 64 * 1024,
      limits: Self.limits)
    guard outcome.status == 0, rename(part, path) == 0 else {
      unlink(part)
      throw .failed("tar can't pack \(folder.path). The folder is complete; pack it yourself.")
    }
    try? FileManager.default.removeItem(atPath: folder.path)
  }
}
