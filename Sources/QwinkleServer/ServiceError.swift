/// An error of the service. Its ``sentence`` addresses the person who can fix it.
public enum ServiceError: Error, Hashable, Sendable {
  /// The directory can't be created or written to. `reason` is the system's message.
  case directoryNotWritable(path: String, reason: String)
  /// A file or folder can't be opened, read or written, or doesn't exist. It is left unchanged.
  case fileNotAccessible(path: String, reason: String)
  /// The file was created by a newer version of Qwinkle. It is left unchanged.
  case fileTooNew(path: String)
  /// The file is corrupt and couldn't be renamed.
  case damaged(path: String, reason: String)
  /// The file was found to be corrupt while in use. It was renamed, and a new file was created.
  case replaced(path: String, aside: String)
  /// The file is corrupt and was left in place.
  case storedDataCorrupt(path: String, reason: String)
  /// The file to restore is corrupt.
  case backupDamaged(path: String, reason: String)
  /// The file is an intact database, but it doesn't belong to this service.
  case notADatabase(path: String)
  /// A file or folder already exists at the path of a backup or of the backup's media folder.
  case fileExists(path: String)
  /// Other users of the system can access the path. `remedy` is a shell command that removes their access.
  case looseAccess(path: String, remedy: String)
  /// Another process serves this folder. `pid` is 0 if unknown.
  case served(directory: String, pid: Int)
  /// The file's disk is full.
  case diskFull(path: String)
  /// Another program locked the file for too long.
  case busy(path: String)
  /// A read exceeded its ``ReadLimit``.
  case tooSlow
  /// The name is not valid.
  case badName(String)
  /// An account with this name already exists.
  case nameTaken(String)
  /// No account has this name.
  case noSuchName(String)
  /// The given id prefix has fewer than four characters, or doesn't match exactly one token.
  case noSuchToken(String)
  /// No post has this id.
  case noSuchPost(String)
  /// No report has this id.
  case noSuchReport(String)
  /// No stored rule has this id.
  case noSuchRule(String)
  /// A reason, note or rule has too many characters.
  case longText(most: Int)
  /// The server has the maximum number of rules.
  case tooManyRules(most: Int)
  /// The text of a rule is empty.
  case emptyRule
  /// The password can't be used. The text is the reason.
  case badPassword(String)
  /// Another program listens on this port.
  case portInUse(host: String, port: Int)
  /// The server can't listen on this address. `reason` is the system's message.
  case cannotListen(host: String, port: Int, reason: String)
  /// The server can't listen on a Unix socket at this path. `reason` states why.
  case socketNotUsable(path: String, reason: String)
  /// The server can't listen on a socket that it inherited, or the system closed a socket. `reason` states why.
  case inheritedSocketNotUsable(reason: String)
  /// Another server listens on the Unix socket.
  case socketInUse(path: String)
  /// The host has no group with this name.
  case noSuchGroup(String)
  /// The account belongs to no user of this host.
  case noUnixUser(String)
  /// Any other failure. `reason` is SQLite's or the system's message.
  case failed(path: String, reason: String)

  /// A message that describes the failure, its cause and what to do.
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
    case .storedDataCorrupt(let path, let reason):
      "\(path) is damaged: \(reason). It was not changed. To restore a backup: qwinkle serve restore FILE"
    case .backupDamaged(let path, let reason):
      "\(path) is not a backup, or damaged: \(reason). Nothing was changed. Choose another backup."
    case .notADatabase(let path):
      "\(path) is not a database of qwinkle serve. Nothing was changed."
    case .fileExists(let path):
      "\(path) exists already. Choose another name. Nothing was changed."
    case .looseAccess(let path, let remedy):
      "Other users can access \(path). Run: \(remedy)"
    case .served(let directory, let pid):
      "Another qwinkle serve\(pid > 0 ? ", process \(pid)," : "") is using \(directory). Stop it first."
    case .diskFull(let path):
      "Disk full: cannot write \(path). Free some space, then try again."
    case .busy(let path):
      "\(path) is locked by another program. Quit it, or try again later."
    case .tooSlow: "This took the server too long. Ask for less, or try again later."
    case .badName(let name):
      "Invalid name “\(name)”: use 1–30 letters a–z, digits and underscores."
    case .nameTaken(let name):
      "The name “\(name)” is taken. Choose another."
    case .noSuchName(let name):
      "No user named “\(name)”. List them: qwinkle serve users"
    case .noSuchToken(let id):
      "No single token has an id that starts with “\(id)”. List them: qwinkle serve users tokens NAME"
    case .noSuchPost(let id):
      "No post has the id “\(id)”. qwinkle serve reports show ID lists the posts of a report."
    case .noSuchReport(let id):
      "No report has the id “\(id)”. List them: qwinkle serve reports --all"
    case .noSuchRule(let id):
      "No stored rule has the id “\(id)”. List them: qwinkle serve rules"
    case .longText(let most):
      "The text is too long: the limit is \(most) characters. Nothing was changed."
    case .tooManyRules(let most):
      "The server has \(most) rules, which is the limit. Remove one: qwinkle serve rules remove ID"
    case .emptyRule:
      "The rule is empty. Write its text in quotes: qwinkle serve rules add TEXT"
    case .badPassword(let reason):
      "Password \(reason): use \(PasswordRule.fewestCharacters)–1000 characters."
    case .portInUse(let host, let port):
      "Address already in use: \(HTTPFront.authority(host: host, port: port)). Choose another port."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on \(HTTPFront.authority(host: host, port: port)): \(reason). Choose a local address and free port."
    case .socketNotUsable(let path, let reason): "Cannot make the socket \(path): \(reason). Choose another path."
    case .inheritedSocketNotUsable(let reason): "Cannot serve: \(reason). Restart the server."
    case .socketInUse(let path): "Another server is using the socket \(path). Stop it, or choose another path."
    case .noSuchGroup(let name): "This host has no group named “\(name)”. Nothing was started."
    case .noUnixUser(let name): "@\(name) belongs to no user of this host. See: qwinkle serve users"
    case .failed(let path, let reason):
      "Database error in \(path): \(reason). Try again. If this persists, check the disk."
    }
  }
}

extension ServiceError {
  /// Returns the message for users of the service over the network. It contains no paths or details, which are logged
  /// with `reference`.
  func sentence(reference: String) -> String {
    switch self {
    case .storedDataCorrupt, .damaged, .replaced:
      "The server's database is damaged. Its operator has to restore a backup. Reference: \(reference)"
    case .diskFull: "Disk full: the server can't save anything now. Try again later."
    case .busy: "The server is busy. Try again in a few seconds."
    case .tooSlow: sentence
    default: "Internal server error. Try again later. Reference: \(reference)"
    }
  }
}
