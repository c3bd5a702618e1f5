import Dispatch
import FoundationEssentials
import QwinkleAccount
import SafeText
import Timekeeping

/// Lists names in folders on a separate thread: a disk that doesn't answer must block neither the screen nor other
/// work. A new request cancels the one before.
@MainActor
final class FolderLister {
  /// Released when it is cancelled.
  private final class Request: Sendable {
    let activity: Activity?

    init(_ activity: Activity?) { self.activity = activity }
  }

  /// Registers a request as work in progress.
  var begin: (@MainActor () -> Activity)?

  private let queue = DispatchQueue(label: "qwinkle.folders")
  private let read: @Sendable (_ path: String) -> [String]
  private var request: Request?

  /// `read` returns the names in a folder, in any order.
  init(reading read: @escaping @Sendable (_ path: String) -> [String] = FolderLister.contents(of:)) {
    self.read = read
  }

  /// Whether a request is in progress.
  var isBusy: Bool { request != nil }

  /// Cancels the request in progress: it doesn't call back.
  func cancel() { request = nil }

  /// Calls `done` with the names in `folder` that begin with `start`, sorted. Names of folders end in a slash. Hidden
  /// files are left out unless `start` is a dot. `~` is `home`, or the environment's home directory.
  func list(
    _ folder: String, startingWith start: String, home: String?,
    done: @escaping @MainActor @Sendable ([String]) -> Void
  ) {
    let request = Request(begin?())
    self.request = request
    let read = read
    let path = AttachedFile.expanded(folder.isEmpty ? "." : folder, home: home)
    queue.async { [weak self, weak request] in
      guard request != nil else { return }
      var names = read(path).filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
      names.sort()
      var shown: [String] = []
      for name in names {
        guard request != nil else { return }
        shown.append(SafeText.line(name) + (Self.isFolder("\(path)/\(name)") ? "/" : ""))
      }
      let found = shown
      DispatchQueue.main.async { [weak self, weak request] in
        MainActor.assumeIsolated {
          guard let self, let request, self.request === request else { return }
          self.request = nil
          done(found)
        }
      }
    }
  }

  nonisolated static func contents(of path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  nonisolated private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder
  }
}
