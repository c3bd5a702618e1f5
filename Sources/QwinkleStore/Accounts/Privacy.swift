import LibC

/// Checks that other users can't access files and folders.
enum Privacy {
  /// Required type and permissions.
  enum Kind {
    case secretFile
    case secretFolder
    /// A file that controls the program's behaviour. Other users can be allowed to read it, but not to write it.
    case plainFile

    fileprivate var forbiddenModes: mode_t { self == .plainFile ? 0o022 : 0o077 }
    fileprivate var format: mode_t { self == .secretFolder ? S_IFDIR : S_IFREG }
    fileprivate var goodMode: String { self == .secretFolder ? "700" : "600" }
    fileprivate var fault: String {
      self == .plainFile ? "other users can write to it" : "other users can access it"
    }
  }

  /// Checks the type, owner and permissions of a file or folder.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)``, or ``StoreError/unusable(path:reason:)`` if the check
  ///   itself fails.
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

  /// Returns the error for a symbolic link. Links aren't followed, because other users may be able to change their
  /// target.
  static func refusal(ofLink path: String) -> StoreError {
    .notPrivate(
      path: path, reason: "it is a symbolic link",
      remedy: "Replace it with its target file, then run chmod 600 on the file.")
  }
}

/// Quotes shell words in commands that users copy from an error message.
enum ShellWord {
  static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        || "/._-@:%+".unicodeScalars.contains(scalar)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
