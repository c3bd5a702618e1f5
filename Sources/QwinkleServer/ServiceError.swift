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
  /// The file is damaged, and was left where it is.
  case keptDamaged(path: String, reason: String)
  /// The file is a sound database, but not one of this service.
  case notADatabase(path: String)
  /// Something exists where a new file should be.
  case fileExists(path: String)
  /// Other users have access; `remedy` is a command that ends it.
  case looseAccess(path: String, remedy: String)
  /// Another process serves this folder. `pid` is 0 if it is unknown.
  case served(directory: String, pid: Int)
  /// The file's disk is full.
  case diskFull(path: String)
  /// Another program kept the file locked for too long.
  case busy(path: String)
  /// A read needed more time than a request may take.
  case tooSlow
  /// The name is not valid.
  case badName(String)
  /// A qwinker with this name already exists.
  case nameTaken(String)
  /// No qwinker has this name.
  case noSuchName(String)
  /// No token, or more than one, has an id that starts so.
  case noSuchToken(String)
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
      "Cannot use the directory \(path): \(reason). Choose another one, or make it writable."
    case .fileNotAccessible(let path, let reason):
      "Cannot open \(path): \(reason). Check its owner and permissions. Nothing was changed."
    case .fileTooNew(let path):
      "\(path) is from a newer Qwinkle. Upgrade. Nothing was changed."
    case .damaged(let path, let reason):
      "\(path) is damaged and could not be renamed: \(reason). Move it away, then restart."
    case .replaced(_, let aside): ServiceFile.sentence(forSetAside: aside)
    case .keptDamaged(let path, let reason):
      "\(path) is damaged: \(reason). It was left as it is. To restore a backup: qwinkle serve restore FILE"
    case .notADatabase(let path):
      "\(path) is not a database of qwinkle serve. Nothing was changed."
    case .fileExists(let path):
      "\(path) exists already. Choose another name. Nothing was changed."
    case .looseAccess(let path, let remedy):
      "Other users can access \(path). Run: \(remedy)"
    case .served(let directory, let pid):
      "Another qwinkle serve\(pid > 0 ? ", process \(pid)," : "") is using \(directory). Stop it first."
    case .diskFull(let path):
      "Disk full: cannot write \(path). Free some space, then try again. Nothing was lost."
    case .busy(let path):
      "\(path) is locked by another program. Quit it, or try again later."
    case .tooSlow: "This took the server too long. Ask for less, or try again later."
    case .badName(let name):
      "Invalid name “\(name)”: use 1–30 letters a–z, digits and underscores."
    case .nameTaken(let name):
      "The name “\(name)” is taken. Choose another."
    case .noSuchName(let name):
      "No user named “\(name)”. Add one: qwinkle serve add-user NAME"
    case .noSuchToken(let id):
      "No single token has an id that starts with “\(id)”. List them: qwinkle serve users tokens NAME"
    case .badPassword(let reason):
      "Password \(reason): use \(PasswordRule.fewestCharacters)–1000 characters."
    case .portInUse(let host, let port):
      "Address already in use: \(HTTPFront.authority(host: host, port: port)). Choose another port."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on \(HTTPFront.authority(host: host, port: port)): \(reason). Choose a local address and free port."
    case .failed(let path, let reason):
      "Database error in \(path): \(reason). Try again. If this persists, check the disk."
    }
  }
}

extension ServiceError {
  /// The same for people who use the service over the network: without paths and details, which the log has under
  /// `reference`.
  func sentence(reference: String) -> String {
    switch self {
    case .keptDamaged, .damaged, .replaced:
      "The server's database is damaged. Its operator has to restore a backup. Reference: \(reference)"
    case .diskFull: "Disk full: the server can't save anything now. Try again later."
    case .busy: "The server is busy. Try again in a few seconds."
    case .tooSlow: sentence
    default: "Internal server error. Try again later. Reference: \(reference)"
    }
  }
}
