import GRDB
import Synchronization

extension TimelineCache {
  /// Has SQLite give back the memory that it needs to be fast, as before the program is stopped. The file stays open.
  public func releaseMemory() {
    queue.releaseMemory()
    reader.withLock { $0.queue?.releaseMemory() }
  }
}
