import GRDB
import Synchronization

extension TimelineCache {
  /// Frees SQLite's page caches, for example before the process is suspended. The file stays open.
  public func releaseMemory() {
    queue.releaseMemory()
    reader.withLock { $0.queue?.releaseMemory() }
  }
}
