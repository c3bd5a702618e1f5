#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The system's calls under names that no method here has.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags | O_CLOEXEC) }

@discardableResult
func systemClose(_ descriptor: Int32) -> Bool { close(descriptor) == 0 }

/// Writes all of `bytes`; false where that fails.
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

/// Everything that can be read from `descriptor`.
///
/// - Throws: ``StoreError/unusable(path:reason:)`` where that fails, or there are more than `mostBytes`.
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

/// What the system says of the last call that failed.
func systemWords() -> String {
  String(cString: strerror(errno))
}
