/// A thread as another server tells it. Its ids mean nothing here.
public struct ForeignThread: Hashable, Sendable {
  /// The server, as handles name it: `social.example`.
  public let host: String
  /// The id of the qwink that was asked about, there.
  public let focus: Qwink.ID
  public let thread: QwinkThread

  public init(host: String, focus: Qwink.ID, thread: QwinkThread) {
    self.host = host
    self.focus = focus
    self.thread = thread
  }

  /// The domain in the handles of the server's users, by the handle of one of them. It is the host or a domain above
  /// the host: any other may belong to somebody else.
  func domain(by local: Qwinker) -> String {
    guard let domain = local.handleHost, Qwinker.hostForm(host).hasSuffix(".\(domain)") else { return host }
    return domain
  }

  /// The id that a server gave the qwink with an address: `109` of `https://social.example/@anna/109`; nil if the
  /// address has none.
  public static func id(in address: WebAddress) -> Qwink.ID? {
    let path = address.target.prefix { $0 != "?" && $0 != "#" }
    // Scheme, host, whose it is, and what it is called.
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count > 3, let last = parts.last, last.utf8.count <= 64,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) })
    else { return nil }
    return Qwink.ID(String(last))
  }
}

extension QwinkThread {
  /// This thread around `focus`, with what another server has beyond it. The ids of that are told apart in
  /// `elsewhere`: nothing can be done to these qwinks here. Both know a qwink by its address.
  public func joined(
    with foreign: ForeignThread, around focus: Qwink
  ) -> (thread: QwinkThread, elsewhere: Set<Qwink.ID>) {
    var here: [String: Qwink.ID] = [:]
    for qwink in [focus] + ancestors + descendants {
      if let url = qwink.url { here[url] = qwink.originalID }
    }
    // The ids here, by those there.
    var ids: [Qwink.ID: Qwink.ID] = [foreign.focus: focus.originalID]
    var elsewhere: Set<Qwink.ID> = []
    let domain = foreign.domain(by: focus.author)
    func added(_ qwinks: [Qwink]) -> [Qwink] {
      for qwink in qwinks {
        if let known = qwink.url.flatMap({ here[$0] }) {
          ids[qwink.id] = known
        } else {
          ids[qwink.id] = Qwink.ID("elsewhere \(foreign.host) \(qwink.id.rawValue)")
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
    // They stand above those that are known: servers lose the beginning.
    joined.ancestors = above + ancestors
    let below = added(foreign.thread.descendants)
    if !below.isEmpty {
      joined.descendants = (descendants + below).enumerated()
        .sorted { ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset) }.map(\.element)
    }
    return (joined, elsewhere)
  }

  /// This thread with the addresses of the qwinks in `elsewhere` as their ids: commands take those.
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

extension Qwink {
  /// A qwink of another server as it can be shown here.
  fileprivate func foreign(_ id: ID, inReplyTo parent: ID?, on host: String, domain: String) -> Qwink {
    var qwink = self
    qwink.id = id
    qwink.originalID = id
    qwink.inReplyTo = parent
    qwink.author = author.foreign(on: host, domain: domain)
    qwink.inReplyToAuthor = nil
    qwink.quote?.id = nil
    qwink.quote?.author = quote?.author?.foreign(on: host, domain: domain)
    qwink.mentions = mentions.map { mention in
      var mention = mention
      mention.id = ""
      if !mention.handle.contains("@") { mention.handle += "@\(domain)" }
      return mention
    }
    return qwink
  }
}

extension Qwinker {
  private static let idPrefix = "elsewhere "

  /// Whether another server sent them: only their full handle tells who they are here.
  public var isFromOtherServer: Bool { id.rawValue.hasPrefix(Self.idPrefix) }

  fileprivate func foreign(on host: String, domain: String) -> Qwinker {
    var qwinker = self
    qwinker.id = ID("\(Self.idPrefix)\(host) \(id.rawValue)")
    if !handle.contains("@") { qwinker.handle += "@\(domain)" }
    return qwinker
  }
}
