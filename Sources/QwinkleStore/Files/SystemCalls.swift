import LibC

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
