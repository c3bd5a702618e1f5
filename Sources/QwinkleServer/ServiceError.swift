/// Why the service failed. Each case has a ``sentence`` for the person who can fix it.
public enum ServiceError: Error, Hashable, Sendable {
  /// The directory can't be created or written to; `reason` is the system's.
  case directoryNotWritable(path: String, reason: String)
  /// The database exists but can't be read or written. It is left as it is.
  case fileNotAccessible(path: String, reason: String)
  /// A newer Qwinkle made the file. It is left as it is.
  case fileTooNew(path: String)
  /// The file is damaged and couldn't be set aside.
  case damaged(path: String, reason: String)
  /// The file was found damaged while in use. It was set aside and a new one created.
  case replaced(path: String, aside: String)
  /// The file's disk is full.
  case diskFull(path: String)
  /// Another program kept the file locked for too long.
  case busy(path: String)
  /// The name is not valid.
  case badName(String)
  /// A qwinker with this name already exists.
  case nameTaken(String)
  /// No qwinker has this name.
  case noSuchName(String)
  /// The password can't be used; the text says why.
  case badPassword(String)
  /// Another program listens on this port.
  case portInUse(host: String, port: Int)
  /// The address can't be listened on; `reason` is the system's.
  case cannotListen(host: String, port: Int, reason: String)
  /// Any other failure; `reason` is SQLite's or the system's.
  case failed(path: String, reason: String)

  /// What failed, why, and what to do.
  public var sentence: String {
    switch self {
    case .directoryNotWritable(let path, let reason):
      "Cannot use the directory \(path): \(reason). Choose another one, or make this one writable."
    case .fileNotAccessible(let path, let reason):
      "Cannot open \(path): \(reason). Check who owns it and its permissions; nothing was changed."
    case .fileTooNew(let path):
      "\(path) was written by a newer Qwinkle. Update this program; nothing was changed."
    case .damaged(let path, let reason):
      "\(path) is damaged and could not be set aside: \(reason). Move it away, then start again."
    case .replaced(_, let aside): ServiceFile.sentence(forSetAside: aside)
    case .diskFull(let path):
      "No space is left on the disk of \(path). Make room, then try again; nothing was lost."
    case .busy(let path):
      "Another program keeps \(path) locked. Wait until it is done, or quit it, then try again."
    case .badName(let name):
      "\"\(name)\" cannot be a name. Use 1 to 30 letters a to z, digits and underscores."
    case .nameTaken(let name):
      "There is a qwinker named \"\(name)\" already. Choose another name."
    case .noSuchName(let name):
      "There is no qwinker named \"\(name)\". Make them with qwinkle serve add-user."
    case .badPassword(let reason):
      "The password cannot be taken: \(reason). Use \(PasswordRule.fewestCharacters) to 1000 characters."
    case .portInUse(let host, let port):
      "Somebody else listens at \(HTTPFront.authority(host: host, port: port)). Stop that program, or choose another port."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen at \(HTTPFront.authority(host: host, port: port)): \(reason). Choose an address of this machine and a free port."
    case .failed(let path, let reason):
      "The service failed at \(path): \(reason). Try again; if it stays so, look at the disk."
    }
  }
}
