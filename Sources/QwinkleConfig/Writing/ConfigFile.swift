import LibC

/// The reason why one of the user's files can't be read or written.
public enum ConfigFileError: Error, Hashable, Sendable {
  case unreadable(path: String, reason: String)
  case unwritable(path: String, reason: String)
  /// The content of `file` can't be edited.
  case refused(ConfigProblem, file: String)

  public var sentence: String {
    switch self {
    case .unreadable(let path, let reason): "Cannot read \(path): \(reason)."
    case .unwritable(let path, let reason): "Cannot write \(path): \(reason)."
    case .refused(let problem, let file): problem.words(in: file)
    }
  }
}

/// One of the user's text files in the configuration folder.
public struct ConfigFile: Sendable {
  /// Size limit. Larger files are certainly not configuration files.
  private static let mostBytes = 1 << 20

  public let path: String

  /// The file's name without the folder.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  public init(path: String) {
    self.path = path
  }

  /// Returns the file's text, with invalid UTF-8 repaired, or nil if the file doesn't exist.
  public func text() throws(ConfigFileError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .unreadable(path: path, reason: systemWords())
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "not a file")
    }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw .unreadable(path: path, reason: systemWords())
      }
      bytes += part[..<count]
      if bytes.count > Self.mostBytes { throw .unreadable(path: path, reason: "it is too large") }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes one option to the file and leaves the rest unchanged. If the file doesn't exist, first creates it with the
  /// settings in `saved` that differ from the defaults.
  public func set(
    _ key: ConfigKey, to value: ConfigValue, in account: String? = nil, keeping saved: Config = Config()
  ) throws(ConfigFileError) {
    try edit(saved) { edit throws(ConfigProblem) in try edit.setting(key, to: value, in: account) }
  }

  /// Writes a layout to the file like an option.
  public func set(_ layout: OwnLayout, keeping saved: Config = Config()) throws(ConfigFileError) {
    try edit(saved) { edit throws(ConfigProblem) in try edit.setting(layout) }
  }

  private func edit(
    _ saved: Config, _ change: (ConfigEdit) throws(ConfigProblem) -> String
  ) throws(ConfigFileError) {
    let before = try textToEdit(saved)
    let text: String
    do throws(ConfigProblem) {
      text = try change(ConfigEdit(before))
    } catch {
      throw .refused(error, file: name)
    }
    try replace(with: text)
  }

  private func textToEdit(_ saved: Config) throws(ConfigFileError) -> String {
    if let text = try text() { return text }
    return "# Qwinkle's options. To list all: qwinkle config\n" + ConfigText.difference(of: saved)
  }

  /// Replaces the file atomically. Preserves its mode. If it's a symbolic link, replaces the link's target.
  func replace(with text: String) throws(ConfigFileError) {
    guard Self.makeFolder(of: path) else { throw .unwritable(path: path, reason: systemWords()) }
    let target = systemRealPath(path) ?? path
    let new = "\(target).new-\(getpid())"
    var facts = stat()
    let mode = stat(target, &facts) == 0 ? facts.st_mode & 0o7777 : nil
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .unwritable(path: path, reason: systemWords()) }
    if let mode { fchmod(file, mode) }
    let isWritten = systemWrite(Array(text.utf8), to: file) && fsync(file) == 0
    let reason = systemWords()
    close(file)
    guard isWritten else {
      unlink(new)
      throw .unwritable(path: path, reason: reason)
    }
    guard rename(new, target) == 0 else {
      let reason = systemWords()
      unlink(new)
      throw .unwritable(path: path, reason: reason)
    }
  }

  /// Creates the folder of `path` and its parent folders.
  private static func makeFolder(of path: String) -> Bool {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = ""
    while let part = parts.popFirst() {
      folder += part
      if !folder.isEmpty, access(folder, F_OK) != 0, mkdir(folder, 0o700) != 0, errno != EEXIST { return false }
      folder += "/"
    }
    return true
  }
}
