public import QwinkleModel
public import QwinkleService
import QwinkleStore

/// An error that prevents completing a command's input into an entry.
public enum ResolvingError: Error, Hashable, Sendable {
  case notFound(FindingError)
  case failed(DownloadError)
  /// The user chose no visibility, and the account settings with the default visibility can't be fetched.
  case noAudience(DownloadError)
  /// A direct entry without mentions.
  case namesNobody
  /// Only the author can edit a qwink.
  case notMine
  /// The edit would lose the poll's votes.
  case hasPoll
  /// The post can't be quoted. The text is the reason.
  case notQuotable(String)

  /// The message for the user: the failure and what to do.
  public var sentence: String {
    switch self {
    case .notFound(let error): error.sentence
    case .failed(let error): error.sentence
    case .noAudience(let error): "\(error.summary) Your default visibility is unknown: choose one."
    case .namesNobody: EntryProblem.namesNobody.sentence
    case .notMine: "You can only edit your own posts."
    case .notQuotable(let reason): reason
    case .hasPoll: "Can't edit a post with a poll: its votes would be lost."
    }
  }

  /// The error of a failed request for the data, or nil if the user has to correct the entry.
  public var download: DownloadError? {
    switch self {
    case .notFound(.failed(let error)), .failed(let error): error
    default: nil
    }
  }
}

/// A complete entry, and the rules for its purpose.
public struct ResolvedEntry: Hashable, Sendable {
  public let rules: EntryRules
  public var entry: Entry
}

extension AccountConnection {
  /// Completes `given` with data from the server. Posts nothing.
  public func resolve(
    _ given: GivenEntry, idempotencyKey: String
  ) async throws(ResolvingError) -> ResolvedEntry {
    let resolved: ResolvedEntry
    switch given.target {
    case .new: resolved = try await resolveNew(given, idempotencyKey)
    case .reply(let name): resolved = try await resolveReply(given, to: name, idempotencyKey)
    case .quote(let name): resolved = try await resolveQuote(given, of: name, idempotencyKey)
    case .edit(let name): resolved = try await resolveEdit(given, of: name, idempotencyKey)
    case .message(let name):
      let qwinker: Qwinker
      do throws(FindingError) {
        qwinker = try await self.qwinker(named: name)
      } catch {
        throw .notFound(error)
      }
      resolved = Self.complete(given, by: EntryRules(.message(to: qwinker), me: nil), .direct, idempotencyKey)
    }
    if resolved.rules.namesNobody(resolved.entry) { throw .namesNobody }
    return resolved
  }

  private func resolveNew(
    _ given: GivenEntry, _ idempotencyKey: String
  ) async throws(ResolvingError) -> ResolvedEntry {
    let visibility: Visibility
    if let chosen = given.visibility {
      visibility = chosen
    } else {
      visibility = try await ownAccount(for: given)?.usualVisibility ?? .public
    }
    return Self.complete(given, by: EntryRules(.new, me: nil), visibility, idempotencyKey)
  }

  private func resolveReply(
    _ given: GivenEntry, to name: String, _ idempotencyKey: String
  ) async throws(ResolvingError) -> ResolvedEntry {
    let parent = try await qwinkToWriteAbout(name)
    let account = try await ownAccount(for: given)
    let visibility = given.visibility ?? account?.usualVisibility ?? .public
    // The rules add a mention of the parent's author, because only mentioned people are notified of a reply.
    let rules = EntryRules(.reply(to: parent), me: account?.qwinker)
    return Self.complete(given, by: rules, visibility, idempotencyKey)
  }

  private func resolveQuote(
    _ given: GivenEntry, of name: String, _ idempotencyKey: String
  ) async throws(ResolvingError) -> ResolvedEntry {
    let quoted = try await qwinkToWriteAbout(name).original
    let account = try await ownAccount(for: given)
    // The qwink shows whether the server supports quotes. If it doesn't, ask for the server's description.
    if quoted.quoteApproval == nil, abilities[.quotes] == nil,
      let isSupported = try await answer(toResolve: .serverInfo).supportsQuotes
    {
      abilities.note(.quotes, isSupported)
    }
    if let reason = quoteRefusal(of: quoted, by: account?.qwinker.id) { throw .notQuotable(reason) }
    let visibility = given.visibility ?? account?.usualVisibility ?? .public
    let rules = EntryRules(.quote(of: quoted), me: account?.qwinker)
    let resolved = Self.complete(given, by: rules, visibility, idempotencyKey)
    if case .omitsQuotedAuthor? = rules.problemBesidesLength(with: resolved.entry) {
      throw .notQuotable(EntryProblem.omitsQuotedAuthor(quoted.author.handle).sentence)
    }
    return resolved
  }

  private func resolveEdit(
    _ given: GivenEntry, of name: String, _ idempotencyKey: String
  ) async throws(ResolvingError) -> ResolvedEntry {
    let qwink = try await qwinkToWriteAbout(name)
    let me = try await answer(toResolve: .ownAccount).qwinker
    guard qwink.author.id == me.id else { throw .notMine }
    let source = try await answer(toResolve: .source(qwink.originalID))
    guard qwink.poll == nil else { throw .hasPoll }
    let rules = EntryRules(.edit(qwink), me: me)
    return Self.complete(given, by: rules, qwink.visibility, source: source, idempotencyKey)
  }

  private static func complete(
    _ given: GivenEntry, by rules: EntryRules, _ usual: Visibility, source: QwinkSource? = nil,
    _ idempotencyKey: String
  ) -> ResolvedEntry {
    let entry = given.complete(by: rules, usual: usual, source: source, idempotencyKey: idempotencyKey)
    return ResolvedEntry(rules: rules, entry: entry)
  }

  private func qwinkToWriteAbout(_ name: String) async throws(ResolvingError) -> Qwink {
    do throws(FindingError) {
      return try await qwink(named: name)
    } catch {
      throw .notFound(error)
    }
  }

  private func answer<Answer>(toResolve request: Request<Answer>) async throws(ResolvingError) -> Answer {
    do throws(DownloadError) {
      return try await answer(to: request)
    } catch {
      throw .failed(error)
    }
  }

  /// Returns the user's account, or nil if it can't be fetched but the user has chosen a visibility.
  private func ownAccount(for given: GivenEntry) async throws(ResolvingError) -> OwnAccount? {
    do throws(DownloadError) {
      return try await answer(to: .ownAccount)
    } catch {
      guard given.visibility == nil else { return nil }
      throw error.mayPass ? .failed(error) : .noAudience(error)
    }
  }
}

extension OutgoingEntry {
  /// Returns a copy completed with data from the server, ready to be sent.
  public func resolved(as resolved: ResolvedEntry) -> OutgoingEntry {
    var entry = self
    entry.purpose = resolved.rules.purpose.key
    entry.subject = resolved.rules.purpose.subject
    entry.entry = resolved.entry
    entry.isAudienceOpen = false
    entry.given?.isOpen = false
    return entry
  }
}
