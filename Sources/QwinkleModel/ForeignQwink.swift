/// Ids of objects that were loaded from another server. They aren't valid on the user's server, so each has a prefix
/// with a space, which servers don't use in ids.
enum ForeignID {
  private static let prefix = "elsewhere "

  /// Returns the id to use here for `id` of the server `host`.
  static func id(_ id: String, on host: String) -> String { "\(prefix)\(host) \(id)" }

  static func isForeign(_ id: String) -> Bool { id.hasPrefix(prefix) }

  /// Returns the id that the other server uses. An id without the prefix is returned unchanged.
  static func original(_ id: String) -> String {
    guard isForeign(id) else { return id }
    return id.dropFirst(prefix.count).split(separator: " ", maxSplits: 1).last.map(String.init) ?? id
  }
}

extension Qwink {
  /// Whether the qwink was loaded from another server. The user's server doesn't know its ids.
  public var isFromOtherServer: Bool { ForeignID.isForeign(originalID.rawValue) }

  /// The id of a qwink for requests to the server from which it was loaded.
  public var idOnItsServer: String { ForeignID.original(id.rawValue) }

  /// Returns a qwink of the server `host` with ids that can't be ids of the user's server, and with full handles. An
  /// account without a host in its handle is at `domain`. The user's reactions are unknown to another server.
  public func fromOtherServer(_ host: String, domain: String) -> Qwink {
    func made(_ id: ID) -> ID { ID(ForeignID.id(id.rawValue, on: host)) }
    var qwink = foreign(made(originalID), inReplyTo: inReplyTo.map(made), on: host, domain: domain)
    qwink.id = made(id)
    qwink.booster = booster?.foreign(on: host, domain: domain)
    qwink.poll = poll.map { poll in
      var poll = poll
      poll.id = Identifier<Poll>(ForeignID.id(poll.id.rawValue, on: host))
      (poll.hasVoted, poll.ownVotes) = (false, [])
      return poll
    }
    (qwink.isBoosted, qwink.isFavourite, qwink.isBookmarked, qwink.isPinned) = (false, false, false, false)
    qwink.isThreadMuted = false
    qwink.quoteApproval = nil
    qwink.filterMatches = []
    qwink.quote?.filterMatches = []
    return qwink
  }

  /// The same qwink with URLs and handles as ids, because commands accept these but not ids of another server.
  /// Unchanged if it is of the user's server or has no URL.
  public var namedByAddress: Qwink {
    guard isFromOtherServer, let url else { return self }
    var named = self
    (named.id, named.originalID) = (ID(url), ID(url))
    if let quoted = quote?.url { named.quote?.id = ID(quoted) }
    named.author.id = Qwinker.ID(author.handle)
    if let booster { named.booster?.id = Qwinker.ID(booster.handle) }
    if let quoted = quote?.author { named.quote?.author?.id = Qwinker.ID(quoted.handle) }
    return named
  }

  /// Returns a qwink of another server with the given ids and with full handles. Removes the ids of its quote and its
  /// mentions, which aren't valid on the user's server.
  func foreign(_ id: ID, inReplyTo parent: ID?, on host: String, domain: String) -> Qwink {
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
  /// Whether the account was loaded from another server. Only its full handle is valid here.
  public var isFromOtherServer: Bool { ForeignID.isForeign(id.rawValue) }

  fileprivate func foreign(on host: String, domain: String) -> Qwinker {
    var qwinker = self
    qwinker.id = ID(ForeignID.id(id.rawValue, on: host))
    if !handle.contains("@") { qwinker.handle += "@\(domain)" }
    return qwinker
  }
}
