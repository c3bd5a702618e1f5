import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// The account of a command that catches up with the home timeline. Uses the read position of the account's other
/// programs.
@MainActor
final class MissedPosts {
  private let store: OutgoingStore
  private let account: Account
  private let waiter = Waiter()

  init(_ session: AccountSession, clock: any ProgramClock) {
    store = (CommandStage.current ?? CommandStage()).store(in: session.accountFolder)
    account = Account(
      service: session.downloads, cache: nil, outgoing: store, clock: clock, isSignedIn: session.isSignedIn)
    account.catchUp.hideRules = UserConfig.hideRules
    account.addObserver(waiter)
  }

  func close() { store.close() }

  var catchUp: CatchUp { account.catchUp }

  /// Loads the posts. Returns the error that ended loading early, if any. Posts loaded before are available.
  func load(_ span: CatchUp.Span) async -> DownloadError? {
    catchUp.start(span)
    await waiter.whenEnded(catchUp)
    if case .failed(let error) = catchUp.state { return error }
    return nil
  }

  /// The posts' rows with their JSON as the server sent it, without deleted posts.
  func entries(_ posts: [CatchUpRow.Post]) -> [SentItem<Qwink>] {
    let sources = catchUp.sources(of: posts.map(\.rowID))
    return posts.compactMap { post in catchUp.qwink(for: post.rowID).map { ($0, sources[post.rowID] ?? []) } }
  }

  /// Moves the read position up to the newest of `rows`, and waits until the server has it.
  func markRead(_ rows: [Qwink.RowID]) async throws {
    let printed = Set(rows)
    guard let newest = catchUp.items.first(where: { printed.contains($0.rowID) }),
      catchUp.markRead(upTo: newest.rowID)
    else { return }
    try await account.readPositions.send(.home)
  }

  /// Waits for the end of loading.
  private final class Waiter: AccountObserver {
    private var continuation: CheckedContinuation<Void, Never>?

    func whenEnded(_ catchUp: CatchUp) async {
      guard !Self.isEnded(catchUp) else { return }
      await withCheckedContinuation { continuation = $0 }
    }

    func catchUpDidChangeState(_ catchUp: CatchUp) {
      guard Self.isEnded(catchUp) else { return }
      let waiting = continuation
      continuation = nil
      waiting?.resume()
    }

    private static func isEnded(_ catchUp: CatchUp) -> Bool {
      switch catchUp.state {
      case .failed, .finished: true
      case .idle, .loading, .paused: false
      }
    }
  }
}
