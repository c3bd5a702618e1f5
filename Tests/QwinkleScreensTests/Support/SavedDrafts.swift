import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import Timekeeping

/// The drafts on disk.
@MainActor
struct SavedDrafts {
  let store: OutgoingStore?
  let folder: TemporaryFolder

  /// All entries, oldest first.
  var all: [OutgoingEntry] {
    store?.flush()
    return (try? OutgoingStore.entries(in: folder.path)) ?? []
  }

  /// The chat messages that are not confirmed by the server.
  var messages: [OutgoingMessage] {
    store?.flush()
    return (try? OutgoingStore.messages(in: folder.path)) ?? []
  }

  /// The last entry for a purpose.
  func load(_ purpose: EntryPurpose = .new) -> Entry? { all.last { $0.purpose == purpose.key }?.entry }

  var keys: Set<String> { Set(all.map(\.purpose)) }

  /// Saves an entry as an earlier run of the program would.
  func save(_ entry: Entry, for purpose: EntryPurpose) {
    let other = OutgoingStore(directory: folder.path, ledger: ActivityLedger(), clock: VirtualClock())
    other.keep(OutgoingEntry(purpose: purpose.key, entry: entry)) { _ in }
    other.close()
  }
}

extension Screen {
  var drafts: SavedDrafts { SavedDrafts(store: account.outgoing, folder: folder) }

  /// Closes the drafts file as if the program were killed.
  func kill() { account.outgoing?.abandon() }
}

extension Posts {
  /// Adds an entry to the outbox, as a composer does.
  func post(_ entry: Entry) { send(OutgoingEntry(purpose: EntryPurpose.new.key, entry: entry), as: entry) }

  /// Adds an edit to the outbox, as a composer does.
  func edit(_ id: String, _ entry: Entry) { send(OutgoingEntry(purpose: "edit/\(id)", entry: entry), as: entry) }
}
