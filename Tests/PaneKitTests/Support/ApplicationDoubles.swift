import PaneKit

/// Records pastes. Large pastes wait until the test calls ``paste``.
@MainActor
final class TestPasteDelegate: PasteDelegate {
  private(set) var sizes: [PasteSize] = []
  private(set) var paste: (@MainActor () -> Void)?
  private(set) var ignored = 0

  func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void
  ) {
    sizes.append(size)
    self.paste = paste
  }

  func applicationDidIgnorePaste(_ application: Application) { ignored += 1 }
  func applicationDidStallPaste(_ application: Application) {}
}

/// A process that is continued right after it is stopped. It doesn't exit at `end(status:)`.
@MainActor
final class TestProcess: ApplicationProcess {
  private(set) var statuses: [Int32] = []
  private(set) var stops = 0
  var stopping: () -> Void = {}

  let canStop = true

  func stop() {
    stops += 1
    stopping()
  }

  func end(status: Int32) { statuses.append(status) }
}

/// Stores each saved state in memory.
@MainActor
final class TestRestoration: RestorationStore {
  private(set) var kept: [StateArchive]

  init(_ kept: [StateArchive] = []) {
    self.kept = kept
  }

  private(set) var flushes = 0
  private(set) var firstFrames = 0

  func load() -> StateArchive? { kept.last }
  func didShowFirstFrame() { firstFrames += 1 }
  func save(_ state: StateArchive) { kept.append(state) }
  func flush() { flushes += 1 }
}
