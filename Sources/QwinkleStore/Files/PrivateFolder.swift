import LibC

/// A folder for the program's own files, which only their owner can access.
struct PrivateFolder: Sendable {
  let path: String

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Returns the content of a file that isn't secret. Nil if the file doesn't exist.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)`` if other users can write to it.
  func readPlain(_ name: String, mostBytes: Int) throws(StoreError) -> [UInt8]? {
    let path = path(of: name)
    let file = systemOpen(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .unusable(path: path, reason: systemWords())
    }
    defer { systemClose(file) }
    try Privacy.check(file, at: path, is: .plainFile)
    return try systemRead(file, at: path, mostBytes: mostBytes)
  }

  /// Replaces a file like ``OpenFolder/replace(_:with:)``, under the folder's lock. Creates the folder if it's missing.
  /// A caller that has already locked the folder must use its ``OpenFolder`` instead, because this method would wait
  /// for that lock.
  func replace(_ name: String, with bytes: some Sequence<UInt8>) throws(StoreError) {
    let folder = try lock()
    defer { folder.close() }
    try folder.replace(name, with: bytes)
  }

  /// Restricts a database to its owner before SQLite opens it by name. Creates the folder and an empty file if
  /// necessary.
  func makePrivateDatabase(_ name: String) throws(StoreError) {
    let folder = try open(makingIt: true)
    defer { folder.close() }
    folder.makePrivate(name)
    for suffix in ["-wal", "-shm"] { folder.narrow(name + suffix) }
  }

  /// Renames a file to an unused name, and returns the new path. The folder must be locked.
  func setAside(_ name: String) throws(StoreError) -> String {
    var number = 1
    while access("\(path(of: name)).damaged-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path(of: name)).damaged-\(number)"
    guard rename(path(of: name), aside) == 0 else { throw .folderNotWritable(path: path) }
    return aside
  }

  /// Opens and locks the folder, and creates it if it's missing. Waits until no other program has locked it. The lock
  /// ends when the caller closes the result.
  func lock() throws(StoreError) -> OpenFolder {
    let folder = try open(makingIt: true)
    guard systemLock(folder.descriptor, waits: true) else {
      defer { folder.close() }
      throw .unusable(path: path, reason: systemWords())
    }
    return folder
  }

  /// Opens the folder, which must belong to this user and be inaccessible to all others. Returns nil if the folder
  /// doesn't exist and `makingIt` is false.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)``.
  func openForSecrets(makingIt: Bool) throws(StoreError) -> OpenFolder? {
    guard !Privacy.isLink(path) else { throw Privacy.refusal(ofLink: path) }
    if !makingIt, access(path, F_OK) != 0, errno == ENOENT { return nil }
    let folder = try open(makingIt: makingIt, flags: O_NOFOLLOW)
    do throws(StoreError) {
      try Privacy.check(folder.descriptor, at: path, is: .secretFolder)
      return folder
    } catch {
      folder.close()
      throw error
    }
  }

  private func open(makingIt: Bool, flags: Int32 = 0) throws(StoreError) -> OpenFolder {
    if makingIt { try make() }
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | flags)
    guard descriptor >= 0 else { throw .unusable(path: path, reason: systemWords()) }
    return OpenFolder(path: path, descriptor: descriptor)
  }

  /// Creates the folder and its parents with private permissions from the start.
  private func make() throws(StoreError) {
    guard access(path, F_OK) != 0 else { return }
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if mkdir(part, 0o700) != 0, access(part, F_OK) != 0 { throw .folderNotWritable(path: path) }
    }
  }
}

/// An open private folder. Its descriptor refers to the folder that was checked, even if a parent folder is moved.
struct OpenFolder {
  let path: String
  let descriptor: Int32

  func close() { systemClose(descriptor) }

  /// Returns the content of a secret file. Nil if the file doesn't exist.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)`` if other users can read or write it.
  func readSecret(_ name: String, mostBytes: Int) throws(StoreError) -> [UInt8]? {
    let path = "\(path)/\(name)"
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw Privacy.refusal(ofLink: path) }
      throw .unusable(path: path, reason: systemWords())
    }
    defer { systemClose(file) }
    try Privacy.check(file, at: path, is: .secretFile)
    return try systemRead(file, at: path, mostBytes: mostBytes)
  }

  /// Writes a new file, flushes it to disk, and renames it over the old one. Only the owner can ever read the file.
  func replace(_ name: String, with bytes: some Sequence<UInt8>) throws(StoreError) {
    let new = "\(name).new"
    // A run that was killed may have left this file.
    unlinkat(descriptor, new, 0)
    let file = openat(descriptor, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .folderNotWritable(path: path) }
    let isWritten = systemWrite(Array(bytes), to: file) && fsync(file) == 0
    let isClosed = systemClose(file)
    guard isWritten, isClosed, renameat(descriptor, new, descriptor, name) == 0 else {
      unlinkat(descriptor, new, 0)
      throw .folderNotWritable(path: path)
    }
    // Ignore errors: some file systems can't flush folders, but these keep renames in order anyway.
    fsync(descriptor)
  }

  /// Creates an empty file that only its owner can access, or restricts an existing one. Ignores errors, because
  /// opening the file will report them.
  func makePrivate(_ name: String) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file >= 0 {
      systemClose(file)
    } else {
      narrow(name)
    }
  }

  /// Restricts a file to its owner. Doesn't open the file: closing it would release SQLite's locks on it.
  func narrow(_ name: String) {
    var facts = stat()
    guard fstatat(descriptor, name, &facts, 0) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0
    else { return }
    fchmodat(descriptor, name, 0o600, 0)
  }

  /// Removes a file if it exists.
  func remove(_ name: String) throws(StoreError) {
    for name in [name, "\(name).new"] where unlinkat(descriptor, name, 0) != 0 && errno != ENOENT {
      throw .folderNotWritable(path: path)
    }
    fsync(descriptor)
  }
}
