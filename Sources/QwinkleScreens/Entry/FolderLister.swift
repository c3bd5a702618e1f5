import Dispatch
import FoundationEssentials
import PaneKit
import QwinkleAccount
import SafeText
import Timekeeping

/// Lists names in folders. Each read runs on a separate thread, because a folder on an unresponsive disk must not block
/// the screen, other work or other folders.
@MainActor
final class FolderLister {
  /// The folders that are being read by any lister. An unresponsive folder is never removed.
  @MainActor
  final class Reads {
    static let shared = Reads()
    /// The maximum number of simultaneous reads.
    static let most = 4

    private(set) var paths: Set<String> = []
    /// Sent when a read has ended.
    fileprivate var didEnd = TargetActions()

    fileprivate func begin(_ path: String) { paths.insert(path) }

    fileprivate func end(_ path: String) {
      paths.remove(path)
      didEnd.send()
    }
  }

  /// A call to `list` in progress. The lister releases the request when the call ends or is cancelled, and the
  /// request's activity ends with it.
  private final class Request: Sendable {
    let activity: Activity?

    init(_ activity: Activity?) { self.activity = activity }
  }

  /// The arguments of a call to `list`.
  private struct Wish {
    let path: String
    let start: String
    let done: @MainActor @Sendable ([String]) -> Void
  }

  /// Only this many names are checked for being folders, because each check needs a system call.
  nonisolated private static let mostChecks = 1000

  private let begin: (@MainActor () -> Activity)?

  private let reads: Reads
  private let read: @Sendable (_ path: String) -> [String]
  private let isFolder: @Sendable (_ path: String) -> Bool
  private var request: Request?
  /// The arguments of the call that is waiting for its read to start.
  private var wish: Wish?

  /// `begin` registers a request as work in progress. `read` returns the names in a folder, in any order.
  init(
    begin: (@MainActor () -> Activity)?,
    reads: Reads = .shared, reading read: @escaping @Sendable (_ path: String) -> [String] = FolderLister.contents(of:),
    isFolder: @escaping @Sendable (_ path: String) -> Bool = FolderLister.isFolder(at:)
  ) {
    self.begin = begin
    self.reads = reads
    self.read = read
    self.isFolder = isFolder
    reads.didEnd.add(self) { $0.readWish() }
  }

  var isBusy: Bool { request != nil }

  /// Cancels the request in progress. Its `done` isn't called.
  func cancel() {
    request = nil
    wish = nil
  }

  /// Calls `done` with the names in `folder` that begin with `start`, sorted. Names of folders end in a slash. Hidden
  /// files are left out unless `start` begins with a dot. `~` is `home`, or the environment's home directory.
  ///
  /// - Returns: Nil if the folder is now being read, otherwise a message for the user. If another read of the same
  ///   folder is in progress, the call continues when that read has ended. If this lister is busy or too many folders
  ///   are being read, the call is ignored.
  func list(
    _ folder: String, startingWith start: String, home: String?,
    done: @escaping @MainActor @Sendable ([String]) -> Void
  ) -> String? {
    let path = AttachedFile.expanded(folder.isEmpty ? "." : folder, home: home)
    guard !isBusy else { return EntryWords.readingFolder }
    let isBeingRead = reads.paths.contains(path)
    guard isBeingRead || reads.paths.count < Reads.most else { return EntryWords.foldersDoNotAnswer }
    let request = Request(begin?())
    self.request = request
    let wish = Wish(path: path, start: start, done: done)
    guard isBeingRead else {
      startRead(wish, for: request)
      return nil
    }
    self.wish = wish
    return EntryWords.readingFolder
  }

  /// Starts the waiting read, if it is possible now.
  private func readWish() {
    guard let wish, let request, !reads.paths.contains(wish.path), reads.paths.count < Reads.most else { return }
    self.wish = nil
    startRead(wish, for: request)
  }

  private func startRead(_ wish: Wish, for request: Request) {
    reads.begin(wish.path)
    let (path, start, done) = (wish.path, wish.start, wish.done)
    DispatchQueue(label: "qwinkle.folder").async { [weak self, weak request, reads, read, isFolder] in
      let names = read(path).filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
      let shown = names.enumerated().map { index, name in
        SafeText.line(name) + (index < Self.mostChecks && isFolder("\(path)/\(name)") ? "/" : "")
      }
      DispatchQueue.main.async { [weak self, weak request] in
        MainActor.assumeIsolated {
          reads.end(path)
          guard let self, let request, self.request === request else { return }
          self.request = nil
          done(shown)
        }
      }
    }
  }

  nonisolated static func contents(of path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  nonisolated static func isFolder(at path: String) -> Bool {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder
  }
}

extension Account {
  /// Returns a lister whose requests count as work of this account.
  func folderLister() -> FolderLister {
    FolderLister(begin: { [connection] in connection.begin("listing a folder") })
  }
}
