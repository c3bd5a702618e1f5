import QwinkleModel
import QwinkleStore
import Timekeeping

/// The drafts and the outbox of an account, for commands that need no server. The account's token is requested only if
/// the folder's name depends on it.
@MainActor
struct OutgoingFolder {
  private let path: String

  /// - Parameter what: the action, which begins the error if there is no account: "Listing drafts".
  init(_ choice: SessionChoice, for what: String) throws {
    let paths = Paths()
    if let owner = try AccountSession.owner(of: choice, paths: paths) {
      path = "\(paths.data)/\(owner.folder)"
      return
    }
    let session = try AccountSession.begin(choice, paths: paths, clock: SystemClock(), ledger: ActivityLedger())
    guard session.isSignedIn else { throw AppError.needsAccount(what) }
    path = "\(paths.data)/\(session.accountFolder)"
  }

  /// Returns the drafts, last changed first.
  func drafts() throws(StoreError) -> [SavedEntry] { try OutgoingStore.saved(in: path) }

  func draft(_ number: Int) throws -> SavedEntry {
    guard let draft = try drafts().first(where: { $0.number == number }) else {
      throw AppError.failed("No draft \(number). List: qwinkle drafts")
    }
    return draft
  }

  /// Deletes a draft. Returns false if it is open elsewhere or no longer exists.
  func delete(_ draft: SavedEntry) throws(StoreError) -> Bool { try OutgoingStore.discard(draft.id, in: path) }

  /// Returns the outbox items, oldest first.
  func items() throws(StoreError) -> [OutboxItem] {
    try OutgoingStore.items(in: path).sorted { $0.position < $1.position }
  }
}
