import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Opens a saved entry. First finds the entry's subject, such as the qwink it replies to, and moves the entry ahead of
/// other drafts for the same purpose. Then opens the entry sheet or the chat, which loads the first draft. The text is
/// preserved even if the subject no longer exists.
@MainActor
final class DraftOpener {
  /// Time to wait for a newer version of the subject before the known version is used.
  private static let patience = Duration.seconds(1)

  /// Result of the search for an entry's subject.
  private enum Finding {
    case found(EntryPurpose)
    /// The subject no longer exists.
    case gone
    case failed(DownloadError)
  }

  weak var navigator: (any Navigator)?

  private let account: Account
  private let store: OutgoingStore
  private var fetch: Fetch?
  private var search: Task<Void, Never>?
  private var timer: ProgramTimer?

  init(account: Account, store: OutgoingStore) {
    self.account = account
    self.store = store
  }

  /// Opens `saved`, or explains why it can't be opened. If the subject no longer exists, asks whether to open the text
  /// as a new qwink. Does nothing if the user leaves the screen before the subject is found.
  func open(_ saved: SavedEntry) {
    let kind = account.current(saved.entry.kind)
    if saved.holder == .otherProgram {
      navigator?.say(OutboxWords.cannotOpenElsewhere, .warning)
      return
    }
    guard let navigator else { return }
    let isHere = navigator.whileHere()
    endSearch()
    find(saved.entry, kind) { [weak self] finding in
      guard let self else { return }
      endSearch()
      guard isHere() else { return }
      switch finding {
      case .found(let purpose)
      where purpose.key != saved.entry.purpose && (saved.entry.isOpen || kind != saved.entry.kind):
        var entry = saved.entry
        entry.purpose = purpose.key
        entry.subject = purpose.subject
        if case .reply(let qwink) = purpose, entry.entry.inReplyTo != nil {
          entry.entry.inReplyTo = qwink.originalID.rawValue
        }
        if case .quote(let qwink) = purpose { entry.entry.quotedID = qwink.originalID.rawValue }
        replace(saved, by: entry, for: purpose)
      case .found(let purpose): write(purpose, saved)
      case .gone:
        self.navigator?.ask(OutboxWords.askToWriteAsNew(kind), again: nil) { [weak self] in self?.writeAsNew(saved) }
      case .failed(let error): self.navigator?.say(OutboxWords.notFetched(error), .error)
      }
    }
  }

  // MARK: Subject

  private func endSearch() {
    fetch = nil
    search?.cancel()
    search = nil
    timer = nil
  }

  private func find(
    _ entry: OutgoingEntry, _ kind: EntryPurpose.Kind?, done: @escaping @MainActor (Finding) -> Void
  ) {
    let stored = EntryPurpose(of: entry)
    // The stored purpose may have an outdated ID.
    let newer = kind == entry.kind && stored != nil ? nil : account.knownPurpose(kind)
    let known = newer ?? stored
    switch kind {
    case .new, nil: done(.found(.new))
    case .conversation: done(known.map { .found($0) } ?? .gone)
    case .message(let id):
      if let known { return done(.found(known)) }
      fetch(.qwinker(id), known, done) { .message(to: $0) }
    case .reply(let id):
      find(id, known, done) { [weak self] qwink in
        // A qwink that may be a direct message gets a direct reply.
        .reply(to: self?.account.inbox.message(from: qwink) ?? qwink)
      }
    case .quote(let id): find(id, known, done) { .quote(of: $0.original) }
    case .edit(let id): find(id, known, done) { .edit($0) }
    }
  }

  /// Fetches a qwink. A command may have identified the qwink by its URL.
  private func find(
    _ id: Qwink.ID, _ known: EntryPurpose?, _ done: @escaping @MainActor (Finding) -> Void,
    purpose: @escaping @MainActor (Qwink) -> EntryPurpose
  ) {
    guard id.rawValue.contains("://") else { return fetch(.qwink(id), known, done, purpose: purpose) }
    navigator?.say(OutboxWords.opening, .dim)
    let connection = account.connection
    search = connection.task("finding a post") {
      let finding: Finding
      do throws(FindingError) {
        finding = .found(purpose(try await connection.qwink(named: id.rawValue)))
      } catch {
        switch error {
        case .failed(.notFound), .noQwink, .noAddress, .noQwinker: finding = .gone
        case .failed(let error): finding = .failed(error)
        }
      }
      if !Task.isCancelled { done(finding) }
    }
  }

  /// Fetches the subject. If the account is offline, or if the request takes too long or fails for another reason than
  /// a missing subject, uses `known` instead, unless it is nil.
  private func fetch<Subject>(
    _ request: Request<Subject>, _ known: EntryPurpose?, _ done: @escaping @MainActor (Finding) -> Void,
    purpose: @escaping @MainActor (Subject) -> EntryPurpose
  ) {
    if let known, account.connection.offlineSince != nil { return done(.found(known)) }
    navigator?.say(OutboxWords.opening, .dim)
    if let known {
      timer = account.clock.schedule(after: Self.patience) { [weak self] in
        self?.fetch = nil
        done(.found(known))
      }
    }
    fetch = account.fetch(request) { result in
      switch result {
      case .success(let subject): done(.found(purpose(subject)))
      case .failure(.notFound): done(.gone)
      case .failure(let error): done(known.map { .found($0) } ?? .failed(error))
      }
    }
  }

  // MARK: Opening

  private func write(_ purpose: EntryPurpose, _ saved: SavedEntry) {
    store.bringForward(saved.id) { [weak navigator] result in
      switch (result, purpose) {
      case (.success(.nobody), .conversation(let conversation)),
        (.success(.thisProgram), .conversation(let conversation)):
        navigator?.show(.conversation(conversation))
      case (.success(.nobody), _): navigator?.write(purpose)
      case (.success(.thisProgram), _): navigator?.say(OutboxWords.isBeingSent, .warning)
      case (.success(.otherProgram), _): navigator?.say(OutboxWords.cannotOpenElsewhere, .warning)
      case (.success(nil), _): navigator?.say(OutboxWords.gone, .warning)
      case (.failure(let error), _): navigator?.say(EntryWords.draftNotSaved(error), .error)
      }
    }
  }

  /// Turns the draft into a new qwink for the same people, and opens it.
  private func writeAsNew(_ saved: SavedEntry) { replace(saved, by: saved.entry.asNew, for: .new) }

  private func replace(_ saved: SavedEntry, by entry: OutgoingEntry, for purpose: EntryPurpose) {
    store.replace(by: entry) { [weak self, weak navigator] result in
      switch result {
      case .success(true): self?.write(purpose, saved)
      case .success(false): navigator?.say(OutboxWords.gone, .warning)
      case .failure(let error): navigator?.say(EntryWords.draftNotSaved(error), .error)
      }
    }
  }
}

extension OutgoingEntry {
  /// A copy without a subject and without files, addressed to the same people.
  fileprivate var asNew: OutgoingEntry {
    var new = self
    if case .conversation(let conversation) = EntryPurpose(of: self) {
      new.entry.text = EntryRules(.conversation(conversation), me: nil).addressed(entry.text)
      new.cursor = nil
    }
    new.purpose = EntryPurpose.new.key
    new.subject = nil
    new.entry.inReplyTo = nil
    new.entry.quotedID = nil
    new.entry.attachmentIDs = []
    new.files = nil
    if new.isOpen {
      new.given?.target = .new
      new.isAudienceOpen = new.given?.leavesAudienceOpen ?? true
    } else {
      new.given = nil
    }
    new.entry.idempotencyKey = UUID().uuidString
    return new
  }
}

extension Account {
  /// Returns the kind with the current ID of its qwink.
  fileprivate func current(_ kind: EntryPurpose.Kind?) -> EntryPurpose.Kind? {
    switch kind {
    case .reply(let id): .reply(to: timelines.currentID(of: id))
    case .quote(let id): .quote(of: timelines.currentID(of: id))
    case .edit(let id): .edit(timelines.currentID(of: id))
    case .new, .message, .conversation, nil: kind
    }
  }

  /// The purpose of this kind, if a loaded list contains its subject.
  fileprivate func knownPurpose(_ kind: EntryPurpose.Kind?) -> EntryPurpose? {
    func qwink(_ id: Qwink.ID) -> Qwink? { timelines.knownQwinks.first { $0.originalID == id } }
    switch kind {
    case .new: return .new
    case .reply(let id): return qwink(id).map { .reply(to: $0) }
    case .quote(let id): return qwink(id).map { .quote(of: $0.original) }
    case .edit(let id): return qwink(id).map { .edit($0) }
    case .message(let id):
      return timelines.knownQwinks.lazy.map(\.author).first { $0.id == id }.map { .message(to: $0) }
    case .conversation(let id): return inbox.conversation(id).map { .conversation($0) }
    case nil: return nil
    }
  }

  /// The purpose of a saved entry, if it can be determined without a request.
  func purpose(of entry: OutgoingEntry) -> EntryPurpose? {
    EntryPurpose(of: entry) ?? knownPurpose(entry.kind)
  }
}
