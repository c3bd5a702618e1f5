#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks that files and folders are closed to other users.
enum Privacy {
  /// What a file or folder is required to be.
  enum Kind {
    case secretFile
    case secretFolder
    /// Others may read but not write it: it controls what the program does next time.
    case plainFile

    fileprivate var forbiddenModes: mode_t { self == .plainFile ? 0o022 : 0o077 }
    fileprivate var format: mode_t { self == .secretFolder ? S_IFDIR : S_IFREG }
    fileprivate var goodMode: String { self == .secretFolder ? "700" : "600" }
    fileprivate var fault: String {
      self == .plainFile ? "other users can write to it" : "other users can access it"
    }
  }

  /// Refuses a file or folder that is of another kind, belongs to another user, or is open to others.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)``.
  static func check(_ descriptor: Int32, at path: String, is kind: Kind) throws(StoreError) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .unusable(path: path, reason: systemWords()) }
    guard facts.st_mode & S_IFMT == kind.format else {
      throw .notPrivate(path: path, reason: "it is not a regular file", remedy: "Move it away and sign in again.")
    }
    let word = ShellWord.quoted(path)
    guard facts.st_uid == geteuid() else {
      throw .notPrivate(
        path: path, reason: "it belongs to another user",
        remedy: "If it is yours: chown \(geteuid()) \(word) && chmod \(kind.goodMode) \(word)")
    }
    guard facts.st_mode & kind.forbiddenModes == 0 else {
      throw .notPrivate(path: path, reason: kind.fault, remedy: "Run: chmod \(kind.goodMode) \(word)")
    }
  }

  static func isLink(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }

  /// The error for a link. Links aren't followed: they can lead to where others can write.
  static func refusal(ofLink path: String) -> StoreError {
    .notPrivate(
      path: path, reason: "it is a symbolic link", remedy: "Replace it with its target file, then chmod 600 that.")
  }
}

/// Shell words for commands that users copy from a sentence.
enum ShellWord {
  static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        || "/._-@:%+".unicodeScalars.contains(scalar)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
