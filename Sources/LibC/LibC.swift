#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif

// The platform's C library, and system calls under names that don't clash with methods.

/// Opens a file that child processes don't inherit. Returns -1 and sets `errno` on failure.
public func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  open(path, flags | O_CLOEXEC, mode)
}

@discardableResult
public func systemClose(_ descriptor: Int32) -> Bool { close(descriptor) == 0 }

public func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

public func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

/// Writes all of `bytes`. Returns false and sets `errno` on failure.
public func systemWrite(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// Resolves symbolic links and `..`. Returns nil if the path doesn't exist.
public func systemRealPath(_ path: String) -> String? {
  guard let found = realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(cString: found)
}

/// Returns the system's message for the last failed call.
public func systemWords() -> String { String(cString: strerror(errno)) }
