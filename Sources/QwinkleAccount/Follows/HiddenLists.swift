import QwinkleModel
public import QwinkleService

/// The users whom the user mutes or blocks, and the blocked servers, as the server lists them.
struct HiddenLists: Sendable {
  var muted: [Qwinker] = []
  var blocked: [Qwinker] = []
  var hosts: [String] = []

  /// Returns a thread without the qwinks of `elsewhere`, which another server sent, that the user hides. This server
  /// has left out its own.
  func shown(_ thread: QwinkThread, elsewhere: Set<Qwink.ID>, serverURL: String) -> QwinkThread {
    var index = HandleIndex(serverURL: serverURL)
    for qwinker in muted + blocked { index.insert(qwinker) }
    let hosts = Set(hosts.map(Qwinker.hostForm))
    func isHidden(_ qwinker: Qwinker) -> Bool {
      !index.ids(of: qwinker).isEmpty || !hosts.isDisjoint(with: index.hosts(of: qwinker))
    }
    var shown = thread
    let isLeftOut: (Qwink) -> Bool = { elsewhere.contains($0.originalID) && isHidden($0.author) }
    shown.ancestors.removeAll(where: isLeftOut)
    shown.descendants.removeAll(where: isLeftOut)
    shown.update { qwink in
      guard elsewhere.contains(qwink.originalID), let author = qwink.quote?.author, isHidden(author) else { return nil }
      var withheld = qwink
      withheld.quote?.state = .mutedAccount
      return withheld
    }
    return shown
  }
}

extension AccountConnection {
  /// The largest page that servers send, and the pages of a list that are requested at most.
  private static let pageSize = 80
  private static let mostPages = 25

  /// Fetches the user's lists of muted and blocked users and of blocked servers. A list that the server doesn't have is
  /// empty.
  func hiddenLists() async throws(DownloadError) -> HiddenLists {
    guard isSignedIn else { return HiddenLists() }
    let size = Self.pageSize
    return HiddenLists(
      muted: try await all(Request<Page<Qwinker>>.qwinkers(.muted, limit: size)) { .qwinkersPage($0) },
      blocked: try await all(Request<Page<Qwinker>>.qwinkers(.blocked, limit: size)) { .qwinkersPage($0) },
      hosts: try await all(Request<Page<String>>.blockedDomains(limit: size)) { .blockedDomainsPage($0) })
  }

  private func all<Item: Sendable>(
    _ first: Request<Page<Item>>, next: (PageCursor) -> Request<Page<Item>>
  ) async throws(DownloadError) -> [Item] {
    var items: [Item] = []
    var request = first
    for _ in 0..<Self.mostPages {
      let page: Page<Item>
      do throws(DownloadError) {
        page = try await answer(to: request)
      } catch {
        if error.isTransient || error.isCancelled || error.needsSignIn { throw error }
        return items
      }
      items += page.items
      guard let cursor = page.older else { break }
      request = next(cursor)
    }
    return items
  }
}

extension Follows {
  /// Fetches the lists of muted and blocked users and of blocked servers, and hides what they name. Other servers don't
  /// know whom the user hides, so this comes before their answers are shown.
  public func loadHidden(done: @escaping @MainActor (DownloadError?) -> Void) {
    connection.task("download of muted and blocked users") { [weak self] in
      guard let connection = self?.connection else { return }
      do throws(DownloadError) {
        let lists = try await connection.hiddenLists()
        self?.takeIn(lists)
        done(nil)
      } catch {
        done(error)
      }
    }
  }

  private func takeIn(_ lists: HiddenLists) {
    for qwinker in lists.muted + lists.blocked { handles.insert(qwinker) }
    listed[.muted] = Set(lists.muted.map(\.id))
    listed[.blocked] = Set(lists.blocked.map(\.id))
    // A known relationship counts more than a list, but these were muted or blocked elsewhere since.
    for qwinker in lists.muted where !isMuting(qwinker.id) {
      relationships[qwinker.id]?.isMuting = true
      relationships[qwinker.id]?.muteEndsAt = nil
    }
    for qwinker in lists.blocked { relationships[qwinker.id]?.isBlocking = true }
    hidden.formUnion((lists.muted + lists.blocked).map(\.id).filter { relationships[$0] != nil })
    blockedHosts.formUnion(lists.hosts.map(Qwinker.hostForm))
    tellHidden()
  }
}
