import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import Timekeeping

/// What is on the disk of what was written, whoever holds it.
@MainActor
struct KeptDrafts {
  let store: OutgoingStore?
  let folder: TemporaryFolder

  /// All of it, in the order in which it was begun.
  var all: [OutgoingEntry] {
    store?.flush()
    return (try? OutgoingStore.entries(in: folder.path)) ?? []
  }

  /// The messages of chats that are not known to have arrived.
  var messages: [OutgoingMessage] {
    store?.flush()
    return (try? OutgoingStore.messages(in: folder.path)) ?? []
  }

  /// The last entry for a purpose.
  func load(_ purpose: EntryPurpose = .new) -> Entry? { all.last { $0.purpose == purpose.key }?.entry }

  var keys: Set<String> { Set(all.map(\.purpose)) }

  /// Keeps an entry as another run of the program would have.
  func save(_ entry: Entry, for purpose: EntryPurpose) {
    let other = OutgoingStore(directory: folder.path, ledger: ActivityLedger(), clock: VirtualClock())
    other.keep(OutgoingEntry(purpose: purpose.key, entry: entry)) { _ in }
    other.close()
  }
}

extension Screen {
  /// What it has written down.
  var drafts: KeptDrafts { KeptDrafts(store: account.outgoing, folder: folder) }

  /// Lets go of everything, as the program does when it is killed.
  func kill() { account.outgoing?.abandon() }
}
