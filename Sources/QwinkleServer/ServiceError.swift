/// Why the service cannot do its work. Each case has a ``sentence`` for the person who has to mend it.
public enum ServiceError: Error, Hashable, Sendable {
  /// The directory cannot be made or written to; `reason` is the system's.
  case directoryNotWritable(path: String, reason: String)
  /// The database is there but may not be read or written. It is left as it is.
  case fileNotAccessible(path: String, reason: String)
  /// The file was made by a newer Qwinkle. It is left as it is.
  case fileTooNew(path: String)
  /// The file is damaged, and could not be set aside.
  case damaged(path: String, reason: String)
  /// The file was found damaged while in use, and set aside; a new one has taken its place.
  case replaced(path: String, aside: String)
  /// No space is left for the file.
  case diskFull(path: String)
  /// Another program has kept the file locked for too long.
  case busy(path: String)
  /// A qwinker cannot be called that.
  case badName(String)
  /// A qwinker of that name exists.
  case nameTaken(String)
  /// There is no qwinker of that name.
  case noSuchName(String)
  /// A password cannot be taken; the text says why.
  case badPassword(String)
  /// Somebody else listens at that port.
  case portInUse(host: String, port: Int)
  /// That address cannot be listened at; `reason` is the system's.
  case cannotListen(host: String, port: Int, reason: String)
  /// Something else failed; `reason` is SQLite's or the system's.
  case failed(path: String, reason: String)

  /// What failed, why, and what can be done.
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
