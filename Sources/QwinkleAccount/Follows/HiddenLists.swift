public import QwinkleModel
public import QwinkleService

/// The muted and blocked users, the blocked servers, and the user's filters, as listed by the server.
struct HiddenLists: Sendable {
  var muted: [Qwinker] = []
  var blocked: [Qwinker] = []
  var hosts: [String] = []
  var filters = FilterMatcher()

  /// Returns the users and servers in the lists.
  func people(serverURL: String) -> HiddenPeople {
    var people = HiddenPeople(serverURL: serverURL)
    for qwinker in muted + blocked { people.index.insert(qwinker) }
    for qwinker in muted {
      // The list doesn't specify whether a mute hides notifications. The server itself removes those notifications.
      people.muted[qwinker.id] = HiddenPeople.Mute(endsAt: qwinker.muteEndsAt, hidesNotifications: false)
    }
    people.blocked = Set(blocked.map(\.id))
    people.hosts = Set(hosts.map(Qwinker.hostForm))
    return people
  }
}

extension AccountConnection {
  /// The largest page size that servers support.
  private static let pageSize = 80
  static let mostHiddenPages = 50

  /// Fetches the user's lists of muted and blocked users and of blocked servers, and the user's filters. A list that
  /// the server doesn't support is empty. Any other failure is thrown, because an incomplete list would reveal hidden
  /// posts.
  func hiddenLists() async throws(DownloadError) -> HiddenLists {
    guard isSignedIn else { return HiddenLists() }
    let size = Self.pageSize
    return HiddenLists(
      muted: try await all(Request<Page<Qwinker>>.qwinkers(.muted, limit: size)) { .qwinkersPage($0) },
      blocked: try await all(Request<Page<Qwinker>>.qwinkers(.blocked, limit: size)) { .qwinkersPage($0) },
      hosts: try await all(Request<Page<String>>.blockedDomains(limit: size)) { .blockedDomainsPage($0) },
      filters: try await filterMatcher())
  }

  private func all<Item: Sendable>(
    _ first: Request<Page<Item>>, next: (PageCursor) -> Request<Page<Item>>
  ) async throws(DownloadError) -> [Item] {
    guard var page = try await answerIfKnown(to: first) else { return [] }
    var items = page.items
    var count = 1
    // Some servers link to another page even after the last one, so an empty page also ends the list.
    while let cursor = page.older, !page.items.isEmpty {
      guard count < Self.mostHiddenPages else {
        let host = WebAddress(serverURL)?.hostName.words ?? serverURL
        throw .unreadable(host: host, reason: "the list of hidden users or servers doesn't end")
      }
      page = try await answer(to: next(cursor))
      items += page.items
      count += 1
    }
    return items
  }

  /// Returns the server's response, or nil if the server doesn't support the request.
  private func answerIfKnown<Answer>(to request: Request<Answer>) async throws(DownloadError) -> Answer? {
    do throws(DownloadError) {
      return try await answer(to: request)
    } catch {
      switch error {
      case .unsupported, .unsupportedHere: return nil
      default:
        guard let ability = request.ability, error.lacking(ability) != nil else { throw error }
        return nil
      }
    }
  }

  /// Fetches the user's filters. A server without filters has none.
  public func filterMatcher() async throws(DownloadError) -> FilterMatcher {
    let filters = try await answerIfKnown(to: Request<[ContentFilter]>.filters) ?? []
    for id in filters.flatMap(\.statuses) where filteredURLs[id] == nil {
      do throws(DownloadError) {
        let qwink = try await answer(to: Request<Qwink>.qwink(id))
        // An empty string marks a qwink without an address, which no other server can have.
        filteredURLs[id] = qwink.url ?? ""
      } catch {
        guard case .notFound = error else { throw error }
        filteredURLs[id] = ""
      }
    }
    let ids = filters.flatMap(\.statuses).compactMap { id in filteredURLs[id].map { ($0, id) } }
    return FilterMatcher(filters, ids: Dictionary(ids, uniquingKeysWith: { first, _ in first }))
  }
}

extension Follows {
  /// Fetches the user's hidden users, hidden servers and filters, and hides the users and servers. Other servers don't
  /// filter them out of their responses, so call this before showing such a response. `done` receives the filters.
  public func loadHidden(done: @escaping @MainActor (Result<FilterMatcher, DownloadError>) -> Void) {
    connection.task("download of muted and blocked users") { [weak self] in
      guard let self else { return }
      let before = changes
      do throws(DownloadError) {
        let lists = try await connection.hiddenLists()
        merge(lists, since: before)
        done(.success(lists.filters))
      } catch {
        done(.failure(error))
      }
    }
  }

  /// Replaces the hidden users and servers with complete lists. Preserves changes made by this program since the
  /// request.
  private func merge(_ lists: HiddenLists, since before: ChangeCounts) {
    let listed = lists.people(serverURL: connection.serverURL)
    var fresh = people
    for qwinker in lists.muted + lists.blocked { fresh.index.insert(qwinker) }
    (fresh.muted, fresh.blocked, fresh.hosts) = (listed.muted, listed.blocked, listed.hosts)
    for (id, mute) in people.muted where listed.muted[id] != nil {
      fresh.muted[id]?.hidesNotifications = mute.hidesNotifications
    }
    for id in changes.users.keys where changes.users[id] != before.users[id] {
      fresh.muted[id] = people.muted[id]
      fresh.blocked.set(id, people.blocked.contains(id))
    }
    for host in changes.hosts.keys where changes.hosts[host] != before.hosts[host] {
      fresh.hosts.set(host, people.hosts.contains(host))
    }
    let outdated = relationships.values.filter { known in
      known.isMuting != (fresh.muted[known.id] != nil) || known.isBlocking != fresh.blocked.contains(known.id)
        || known.muteEndsAt != fresh.muted[known.id]?.endsAt
    }
    let isChanged = !fresh.isSame(as: people)
    people = fresh
    noteBlockedHosts()
    if isChanged { tellHidden() }
    loadRelationships(toAll: Set(outdated.map(\.id)))
  }
}

extension Set {
  /// Inserts an element if `isMember` is true, otherwise removes it.
  mutating func set(_ element: Element, _ isMember: Bool) {
    guard isMember else {
      remove(element)
      return
    }
    insert(element)
  }
}
