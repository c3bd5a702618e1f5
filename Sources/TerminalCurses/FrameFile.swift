import CProcess
import LibC

/// A file in memory that ncurses writes to in place of the terminal, so that the program can filter and count the
/// output, and send it when the terminal is ready.
@MainActor
final class FrameFile {
  let descriptor: Int32

  /// Returns nil if the system can't create the file, for example because no descriptor is free.
  init?() {
    descriptor = qw_memory_file()
    guard descriptor >= 0 else { return nil }
  }

  /// Returns the bytes written since the last call.
  func take() -> [UInt8] {
    let count = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
    guard count > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
    ftruncate(descriptor, 0)
    lseek(descriptor, 0, SEEK_SET)
    return bytes
  }

  func close() {
    systemClose(descriptor)
  }
}
