import GRDB
import Synchronization
import Testing

@testable import QwinkleServer

@Suite struct CommitObserverTests {
  @Test func `work runs after its transaction's commit, not after a rollback, and statements stay prepared`() throws {
    let queue = try DatabaseQueue()
    let commits = CommitObserver()
    commits.observe(queue)
    let done = Mutex<[Int]>([])
    func write(_ number: Int, fails: Bool = false) throws -> ObjectIdentifier {
      try queue.write { db in
        let statement = try db.cachedStatement(sql: "DELETE FROM item WHERE number = ?")
        try statement.execute(arguments: [number])
        commits.afterCommit { done.withLock { $0.append(number) } }
        #expect(!done.withLock { $0.contains(number) })
        if fails { throw CancellationError() }
        return ObjectIdentifier(statement)
      }
    }
    try queue.write { try $0.execute(sql: "CREATE TABLE item (number INTEGER)") }
    let first = try write(1)
    #expect(throws: CancellationError.self) { _ = try write(2, fails: true) }
    #expect(try write(3) == first)
    #expect(done.withLock { $0 } == [1, 3])
  }

  @Test func `the work of a transaction that SQLite rolled back is forgotten when the next one begins`() throws {
    let queue = try DatabaseQueue()
    let commits = CommitObserver()
    commits.observe(queue)
    let done = Mutex<[Int]>([])
    try queue.write { try $0.execute(sql: "CREATE TABLE item (number INTEGER UNIQUE)") }
    for number in 1...2 {
      try? queue.write { db in
        commits.begin(on: db)
        commits.afterCommit { done.withLock { $0.append(number) } }
        try db.execute(sql: "INSERT INTO item VALUES (\(number))")
        // SQLite ends the transaction itself, as it does when the disk is full.
        if number == 1 { try db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1)") }
      }
    }
    #expect(done.withLock { $0 } == [2])
    commits.afterCommit { done.withLock { $0.append(3) } }
    let reader = try DatabaseQueue()
    try reader.read { commits.begin(on: $0) }
    try queue.write { try $0.execute(sql: "DELETE FROM item") }
    #expect(done.withLock { $0 } == [2, 3])
  }

  @Test func `the work of a closed connection is forgotten`() throws {
    let commits = CommitObserver()
    let done = Mutex(0)
    commits.observe(try DatabaseQueue())
    commits.afterCommit { done.withLock { $0 += 1 } }
    let next = try DatabaseQueue()
    commits.observe(next)
    try next.write { try $0.execute(sql: "CREATE TABLE item (number INTEGER)") }
    #expect(done.withLock { $0 } == 0)
  }
}
