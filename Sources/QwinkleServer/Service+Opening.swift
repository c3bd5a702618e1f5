import GRDB
import Synchronization

/// Opening the file, and what happens to a damaged one.
extension Service {
  /// The connection, for writing: into a file with known damage nothing more is written.
  func writableConnection() throws(ServiceError) -> ServiceConnection {
    if let damage = damage.withLock({ $0 }) { throw damage }
    return try connection()
  }

  /// The connection, opened when it is first needed.
  func connection() throws(ServiceError) -> ServiceConnection {
    try opened.withLock { (opened) throws(ServiceError) -> ServiceConnection in
      if let connection = opened.connection { return connection }
      let (queue, setAside) = try file.open()
      do {
        return try settle(queue, setAside, &opened)
      } catch let error where ServiceFile.isDamage(error) {
        try? queue.close()
        if use == .served { throw file.serviceError(error) }
        return try replace(&opened)
      } catch {
        throw file.serviceError(error)
      }
    }
  }

  /// Keeps the queue as the open connection, after adding the welcome posts and the owner if they are missing.
  private func settle(_ queue: DatabaseQueue, _ setAside: String?, _ opened: inout Opened) throws -> ServiceConnection {
    if let setAside { opened.setAsidePath = setAside }
    let origin = Origin(scheme: "http", authority: "localhost")
    func start(_ db: Database) -> FirstStart { FirstStart(session: session(db, origin), owner: owner, use: use) }
    if try queue.read({ try start($0).isNeeded }) {
      try queue.write { try start($0).perform(welcome: welcome) }
    }
    if use == .served, opened.isShared { try queue.write { try start($0).deletePostsOfOwnMachine(in: welcome) } }
    let ownerID = try queue.read { try owner.flatMap(session($0, origin).accountID) }
    let readers = opened.isShared ? try file.readers() : nil
    let answers = opened.isShared ? AnswerCache(try DataVersion(path: file.path)) : nil
    let connection = ServiceConnection(writer: queue, readers: readers, answers: answers, owner: ownerID)
    opened.connection = connection
    return connection
  }

  /// Sets the damaged file aside and creates a new one.
  private func replace(_ opened: inout Opened) throws(ServiceError) -> ServiceConnection {
    opened.connection = nil
    let (queue, setAside) = try file.replaceDamaged()
    do {
      return try settle(queue, setAside, &opened)
    } catch {
      throw file.serviceError(error)
    }
  }

  /// Checks a file that a request found damaged and, if it really is, replaces it for later requests.
  ///
  /// - Returns: Where the damaged file is now; nil if it wasn't set aside.
  func setAsideDamaged() -> String? {
    opened.withLock { opened in
      guard let connection = opened.connection else { return nil }
      let former = opened.setAsidePath
      try? connection.close()
      // If this fails, the next request tries again and reports it.
      _ = try? replace(&opened)
      return opened.setAsidePath == former ? nil : opened.setAsidePath
    }
  }
}
