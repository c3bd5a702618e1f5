import FoundationEssentials
public import QwinkleModel
public import QwinkleService

/// The server's translations of qwinks. The reader switches between a translation and the original. Translations are
/// cached until the program ends, so that switching costs no further request.
@MainActor
public final class Translations {
  /// A version of a qwink and the language of its translation. An edit makes a translation outdated.
  private struct Key: Hashable {
    let id: Qwink.ID
    let editedAt: Date?
    let language: String?
  }

  private struct Entry {
    let translation: Translation
    let matches: [FilterMatch]
  }

  /// Beyond this number, the translations that were fetched first are removed.
  private static let mostCached = 200

  private let connection: AccountConnection
  private let timelines: Timelines
  private var cached: [Key: Entry] = [:]
  /// The keys of ``cached``, oldest first.
  private var order: [Key] = []
  /// The translations that replace their originals on the screen.
  private var shown: [Qwink.ID: Key] = [:]
  /// The newest versions of the qwinks whose translations are being fetched.
  private var pending: [Qwink.ID: Qwink] = [:]

  init(_ connection: AccountConnection, timelines: Timelines) {
    self.connection = connection
    self.timelines = timelines
  }

  /// Whether a translation replaces the qwink's original.
  public func isShown(_ qwink: Qwink) -> Bool { entry(of: qwink) != nil }

  /// Whether a translation of the qwink is being fetched.
  public func isPending(_ qwink: Qwink) -> Bool { pending[qwink.originalID] != nil }

  /// Returns the translated qwink and its translation, or nil if the original is shown. The translated qwink also has
  /// the matches of filters in the translated text.
  public func translated(_ qwink: Qwink) -> (qwink: Qwink, translation: Translation)? {
    guard !shown.isEmpty, let entry = entry(of: qwink) else { return nil }
    var translated = qwink.translated(by: entry.translation)
    translated.filterMatches.add(entry.matches)
    return (translated, entry.translation)
  }

  private func entry(of qwink: Qwink) -> Entry? {
    guard let key = shown[qwink.originalID], key.editedAt == qwink.editedAt else { return nil }
    return cached[key]
  }

  /// Shows the original again.
  public func showOriginal(of qwink: Qwink) {
    if shown.removeValue(forKey: qwink.originalID) != nil { tellChange(of: qwink) }
  }

  /// Shows the translation of a qwink into `language`, or into the language of the user's settings on the server if it
  /// is nil. Fetches the translation unless it is cached. `done` receives the result of a request; it isn't called if
  /// another request for the same qwink is pending.
  public func show(
    _ qwink: Qwink, in language: String?, done: @escaping @MainActor (Result<Translation, DownloadError>) -> Void
  ) {
    let key = Key(id: qwink.originalID, editedAt: qwink.editedAt, language: language)
    if let entry = cached[key] {
      show(key, of: qwink)
      return done(.success(entry.translation))
    }
    guard pending[qwink.originalID] == nil else { return }
    pending[qwink.originalID] = qwink
    connection.task("translating") { [weak self] in
      guard let self else { return }
      let result = await fetch(qwink, in: language)
      let newest = pending.removeValue(forKey: qwink.originalID) ?? qwink
      if case .success(let entry) = result {
        store(entry, for: key)
        show(key, of: newest)
      }
      done(result.map(\.translation))
    }
  }

  private func fetch(_ qwink: Qwink, in language: String?) async -> Result<Entry, DownloadError> {
    do throws(DownloadError) {
      let translation = try await connection.translation(of: qwink, into: language).answer
      let matches = try await connection.filterMatcher().matches(inTranslated: qwink.translated(by: translation))
      return .success(Entry(translation: translation, matches: matches))
    } catch {
      return .failure(error)
    }
  }

  private func store(_ entry: Entry, for key: Key) {
    if cached.updateValue(entry, forKey: key) == nil { order.append(key) }
    while order.count > Self.mostCached {
      let oldest = order.removeFirst()
      cached[oldest] = nil
      if shown[oldest.id] == oldest { shown[oldest.id] = nil }
    }
  }

  private func show(_ key: Key, of qwink: Qwink) {
    guard shown.updateValue(key, forKey: qwink.originalID) != key else { return }
    tellChange(of: qwink)
  }

  private func tellChange(of qwink: Qwink) {
    connection.observers.forEach { $0.timelines(timelines, didChange: qwink) }
  }
}

extension Translations: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    if pending[qwink.originalID] != nil { pending[qwink.originalID] = qwink }
  }
}

extension AccountConnection {
  /// Fetches a translation of a qwink into `language`, or into the language of the user's settings if it is nil.
  public func translation(
    of qwink: Qwink, into language: String?
  ) async throws(DownloadError) -> Sourced<Translation> {
    try await answer(
      to: Request<Translation>.translation(of: qwink.originalID, into: language).sourced,
      needing: AbilityNeed(.translation, of: qwink))
  }
}
