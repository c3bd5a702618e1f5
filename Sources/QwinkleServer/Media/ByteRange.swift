import HTTPTypes

/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  /// The range contains no byte of the file: usually it begins after the file's end.
  case none

  /// Parses the range that a request asks for. The result is ``whole`` if the `Range` header is missing or malformed,
  /// if it contains several ranges, or if the `If-Range` header differs from `tag`.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - tag: The file's entity tag. It never changes, because files don't.
  init(_ headers: HTTPFields, size: Int, tag: String) {
    self = .whole
    if let version = headers[.ifRange], version != tag { return }
    guard let value = headers[.range]?.filter({ $0 != " " && $0 != "\t" }), value.lowercased().hasPrefix("bytes=")
    else { return }
    let ends = value.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
    // A number that overflows is beyond the end of any file.
    let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? .max }
    switch (numbers[0], numbers[1]) {
    case (nil, nil): return
    case (nil, let count?): self = count == 0 || size == 0 ? .none : .part(max(0, size - count)..<size)
    case (let first?, let last):
      if let last, last < first { return }
      self =
        first >= size ? .none : .part(first..<min(size, (last ?? size - 1) == .max ? size : (last ?? size - 1) + 1))
    }
  }
}
