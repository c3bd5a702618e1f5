import Foundation
import QwinkleReplay

/// Saves each step's terminal output and the screen after it, in two files: `0007.out` and `0007.snapshot`.
@MainActor
final class StepNotes {
  private let folder: String
  private var count = 0

  /// Creates `folder`, which receives the files.
  init(folder: String) throws(AppError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .failed("Cannot create “\(folder)”: \(error.localizedDescription)")
    }
  }

  func add(sent bytes: [UInt8], screen: Snapshot) throws(AppError) {
    let name = "\(folder)/" + String("000\(count)".suffix(4))
    count += 1
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: name + ".out"))
      try Data(screen.fileText.utf8).write(to: URL(fileURLWithPath: name + ".snapshot"))
    } catch {
      throw .failed("Cannot write “\(name)”: \(error.localizedDescription)")
    }
  }
}
