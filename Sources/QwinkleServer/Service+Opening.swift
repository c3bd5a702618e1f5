import GRDB
import Synchronization

/// Opening the database, and replacing a corrupt one.
extension Service {
  /// Returns the connection for writing. Throws if a served database was found corrupt, so that nothing more is written
  /// to the file.
  func writableConnection() throws(ServiceError) -> ServiceConnection {
    if let damage = damage.withLock({ $0 }) { throw damage }
    return try connection()
  }

  /// Returns the connection. Opens the file on first use. An embedded service replaces a corrupt file; a served one
  /// throws.
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

  /// Creates the open connection, which uses `queue`. First adds the welcome posts to an empty database, and the owner
  /// if the owner is missing. For an HTTP server, also deletes the welcome posts that are only true for an embedded
  /// service.
  private func settle(_ queue: DatabaseQueue, _ setAside: String?, _ opened: inout Opened) throws -> ServiceConnection {
    if let setAside { opened.setAsidePath = setAside }
    commits.observe(queue)
    let origin = BaseURL(scheme: "http", authority: "localhost")
    func start(_ db: Database) -> FirstStart {
      FirstStart(transaction: transaction(db, origin), owner: owner, use: use)
    }
    if try queue.read({ try start($0).isNeeded }) {
      try queue.write { try start($0).perform(welcome: welcome) }
    }
    if use == .served, opened.isShared { try queue.write { try start($0).deletePostsOfOwnMachine(in: welcome) } }
    let ownerID = try queue.read { try owner.flatMap(transaction($0, origin).accountID) }
    let readers = opened.isShared ? try file.readers() : nil
    let answers = opened.isShared ? AnswerCache(try DataVersion(path: file.path)) : nil
    let connection = ServiceConnection(writer: queue, readers: readers, answers: answers, owner: ownerID)
    opened.connection = connection
    return connection
  }

  private func replace(_ opened: inout Opened) throws(ServiceError) -> ServiceConnection {
    opened.connection = nil
    let (queue, setAside) = try file.replaceDamaged()
    do {
      return try settle(queue, setAside, &opened)
    } catch {
      throw file.serviceError(error)
    }
  }

  /// Closes the database after a request found it corrupt, and opens it again for later requests. If a check confirms
  /// the corruption, sets the file aside first and creates a new one.
  ///
  /// - Returns: The corrupt file's new path, or nil if it wasn't set aside.
  func setAsideDamaged() -> String? {
    opened.withLock { opened in
      guard let connection = opened.connection else { return nil }
      let former = opened.setAsidePath
      try? connection.close()
      // If this fails, the next request tries again and reports the error.
      _ = try? replace(&opened)
      return opened.setAsidePath == former ? nil : opened.setAsidePath
    }
  }
}
