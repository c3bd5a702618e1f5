#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// System calls under names that don't clash with methods.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags | O_CLOEXEC) }

@discardableResult
func systemClose(_ descriptor: Int32) -> Bool { close(descriptor) == 0 }

/// Writes all of `bytes`. Returns false on failure.
func systemWrite(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// Reads until the end of the file.
///
/// - Throws: ``StoreError/unusable(path:reason:)`` if reading fails or the file has more than `mostBytes`.
func systemRead(_ descriptor: Int32, at path: String, mostBytes: Int) throws(StoreError) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .unusable(path: path, reason: systemWords()) }
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
    guard bytes.count <= mostBytes else { throw .unusable(path: path, reason: "it is too large") }
  }
}

/// Returns the system's message for the last failed call.
func systemWords() -> String {
  String(cString: strerror(errno))
}
