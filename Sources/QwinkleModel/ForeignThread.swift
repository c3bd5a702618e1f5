/// A thread as loaded from another server. Its ids aren't valid on the user's server.
public struct ForeignThread: Hashable, Sendable {
  /// The server's host, such as `social.example`.
  public let host: String
  /// The id of the requested qwink on that server.
  public let focus: Qwink.ID
  public let thread: QwinkThread

  public init(host: String, focus: Qwink.ID, thread: QwinkThread) {
    self.host = host
    self.focus = focus
    self.thread = thread
  }

  /// Returns the domain in the handles of the other server's users, according to the handle of `local`, one of these
  /// users. Returns the host if that domain isn't one of the host's parent domains, because any other domain may belong
  /// to another server.
  func domain(by local: Qwinker) -> String {
    guard let domain = local.handleHost, Qwinker.hostForm(host).hasSuffix(".\(domain)") else { return host }
    return domain
  }

  /// Returns the last path component of a qwink's URL as its id on that server, such as `109` for
  /// `https://social.example/@anna/109`. Returns nil if it doesn't look like an id.
  public static func id(in address: WebAddress) -> Qwink.ID? {
    let path = address.target.prefix { $0 != "?" && $0 != "#" }
    // Scheme, host, author and id.
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count > 3, let last = parts.last, last.utf8.count <= 64,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) })
    else { return nil }
    return Qwink.ID(String(last))
  }
}

extension QwinkThread {
  /// Merges this thread, which surrounds `focus`, with another server's version of it. Two qwinks with the same URL are
  /// the same qwink.
  ///
  /// Also returns `elsewhere`: the ids made up for qwinks that only the other server has. No actions are possible on
  /// these qwinks, because the user's server doesn't have them.
  public func joined(
    with foreign: ForeignThread, around focus: Qwink
  ) -> (thread: QwinkThread, elsewhere: Set<Qwink.ID>) {
    var here: [String: Qwink.ID] = [:]
    for qwink in [focus] + ancestors + descendants {
      if let url = qwink.url { here[url] = qwink.originalID }
    }
    // Local ids by foreign ids.
    var ids: [Qwink.ID: Qwink.ID] = [foreign.focus: focus.originalID]
    var elsewhere: Set<Qwink.ID> = []
    let domain = foreign.domain(by: focus.author)
    func added(_ qwinks: [Qwink]) -> [Qwink] {
      for qwink in qwinks {
        if let known = qwink.url.flatMap({ here[$0] }) {
          ids[qwink.id] = known
        } else {
          ids[qwink.id] = Qwink.ID(ForeignID.id(qwink.id.rawValue, on: foreign.host))
        }
      }
      return qwinks.compactMap { qwink in
        guard qwink.url.flatMap({ here[$0] }) == nil, let id = ids[qwink.id], elsewhere.insert(id).inserted else {
          return nil
        }
        return qwink.foreign(id, inReplyTo: qwink.inReplyTo.flatMap { ids[$0] }, on: foreign.host, domain: domain)
      }
    }
    var joined = self
    let above = added(foreign.thread.ancestors)
    // Missing ancestors go above the known ones, because servers tend to lack a thread's start.
    joined.ancestors = above + ancestors
    let below = added(foreign.thread.descendants)
    if !below.isEmpty {
      joined.descendants = (descendants + below).enumerated()
        .sorted { ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset) }.map(\.element)
    }
    return (joined, elsewhere)
  }

  /// Returns this thread with each id in `elsewhere` replaced with the qwink's URL, if known, because commands accept a
  /// URL but not a made-up id.
  public func namingByAddress(_ elsewhere: Set<Qwink.ID>) -> QwinkThread {
    var ids: [Qwink.ID: Qwink.ID] = [:]
    for qwink in ancestors + descendants where elsewhere.contains(qwink.id) {
      ids[qwink.id] = qwink.url.map { Qwink.ID($0) }
    }
    func named(_ qwink: Qwink) -> Qwink {
      var named = qwink
      if let id = ids[qwink.id] { (named.id, named.originalID) = (id, id) }
      named.inReplyTo = qwink.inReplyTo.map { ids[$0] ?? $0 }
      return named
    }
    return QwinkThread(ancestors: ancestors.map(named), descendants: descendants.map(named))
  }
}
