import QwinkleModel
public import QwinkleService
import QwinkleStore
import Timekeeping

/// What the download service says, merged into what is known.
extension QwinkFeed {
  public func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    guard let purpose = purposes[identifier] else { return }
    contact.note(nil, at: clock.now)
    if purpose.isWrite { contact.noteWrite() }
    switch (purpose, download) {
    case (.identify, .serverInfo(let info)):
      serverInfo = info
      forEachObserver { $0.feedDidIdentify(self) }
    case (.identify, .me(let qwinker, let usual)):
      me = qwinker
      if let usual { usualVisibility = usual }
      forEachObserver { $0.feedDidIdentify(self) }
    case (.newest(let name, let cause), .qwinks(let page)):
      merge(withOwnReactions(page, for: identifier), into: name, cause: cause)
    case (.older(let name), .qwinks(let page)):
      append(withOwnReactions(page, for: identifier), to: name)
    case (.gap(let name, let cursor), .qwinks(let page)):
      fill(cursor, in: name, with: withOwnReactions(page, for: identifier))
    case (.post(let entry), .qwink(let qwink)):
      takeInPosted(qwink, from: entry)
    case (.edit(let id, let entry), .qwink(let qwink)):
      takeInEdited(qwink, insteadOf: id)
      forEachObserver { $0.feed(self, didPost: qwink, from: entry) }
      didPost(entry, as: qwink)
    case (.delete(let id), .deleted):
      remove(id)
    case (.lookFor(let id, let refusal), .qwink):
      forEachObserver { $0.feed(self, cannotDelete: id, because: refusal) }
    case (.react(let key, let isOn), .qwink(let qwink)):
      didReact(key, isOn: isOn, now: qwink)
    case (.follow(let id, let isOn), .relationship(let relationship)):
      didFollow(id, isOn: isOn, now: relationship)
    case (.answerRequest(let qwinker, let accepts), .relationship(let relationship)):
      didAnswerRequest(of: qwinker, accepts: accepts, now: relationship)
    default:
      break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    contact.note(error, at: clock.now)
    switch purposes[identifier] {
    case .newest(let name, _):
      entries[name]?.state.error = error
      if case .transport = error {
        let since = entries[name]?.state.offlineSince ?? clock.now
        entries[name]?.state.offlineSince = since
      } else {
        // It answers, if not what was hoped for.
        entries[name]?.state.offlineSince = nil
      }
    case .older(let name), .gap(let name, _):
      entries[name]?.state.error = error
    case .post(let entry), .edit(_, let entry):
      forEachObserver { $0.feed(self, didFailToPost: entry, with: error) }
      didFailToPost(entry, with: error)
    case .delete(let id):
      didFailToDelete(id, with: error)
    case .lookFor(let id, let refusal):
      didNotFind(id, error, after: refusal)
    case .react(let key, let isOn):
      didFailToReact(key, isOn: isOn, with: error)
    case .follow(let id, let isOn):
      didFailToFollow(id, isOn: isOn, with: error)
    case .answerRequest(let qwinker, let accepts):
      didFailToAnswerRequest(of: qwinker, accepts: accepts, with: error)
    case .identify, nil:
      break
    }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    settledReactions[identifier] = nil
    switch purposes.removeValue(forKey: identifier) {
    case .newest(let name, _):
      entries[name]?.state.isRefreshing = false
      tellState(name)
      let isKnown = serverInfo != nil && (me != nil || !isSignedIn)
      if !isKnown, entries[name]?.state.error == nil { identify() }
    case .older(let name), .gap(let name, _):
      entries[name]?.state.isLoadingMore = false
      tellState(name)
    case .react(let key, let isOn):
      sendWantedReaction(key, after: isOn)
    case .follow(let id, let isOn):
      sendWantedFollow(id, after: isOn)
    case .identify, .post, .edit, .delete, .lookFor, .answerRequest, nil:
      break
    }
  }

  // MARK: Merging

  private func merge(_ page: Page<Qwink>, into name: TimelineName, cause: Cause) {
    takeUpKept(downTo: page, of: name)
    var entry = entry(name)
    let before = entry.timeline.rows
    let change = entry.timeline.mergeNewest(page)
    let isAllKept = !entry.hasMoreKept
    if page.isWhole { entry.hasMoreKept = false }
    entry.state.error = nil
    entry.state.offlineSince = nil
    entry.state.refreshedAt = clock.now
    entry.state.isComplete = entry.timeline.older == nil && !entry.hasMoreKept
    entry.keptOffset += change.inserted.count - change.removed.count
    let waiting = entry.waitingOwn
    entry.waitingOwn = []
    entries[name] = entry
    let gone = change.removed.compactMap { before[$0].qwink?.rowID }
    if before.isEmpty || (page.isWhole && !(isAllKept && change.removed.isEmpty)) {
      let all = keptRows(entry.timeline, entry.timeline.rows.indices, page)
      cache?.replace(all, of: name, older: entry.timeline.older)
    } else if !change.inserted.isEmpty || !gone.isEmpty {
      cache?.prepend(keptRows(entry.timeline, change.inserted, page), to: name, insteadOf: gone)
    }
    keepChanged(change, of: entry.timeline, page)
    tell(change, name, cause)
    for qwink in waiting { takeInOwn(qwink, in: name) }
  }

  /// Takes from the store what is kept down to where a page ends: it must not look new, and goes where the newest page does
  /// not have it any more.
  private func takeUpKept(downTo page: Page<Qwink>, of name: TimelineName) {
    for qwink in page.items.reversed() where entry(name).hasMoreKept {
      loadKept(name, downTo: qwink.rowID)
      if entry(name).timeline.index(of: qwink.rowID) != nil { return }
    }
  }

  private func append(_ page: Page<Qwink>, to name: TimelineName) {
    var entry = entry(name)
    let change = entry.timeline.appendOlder(page)
    entry.state.error = nil
    entry.state.isComplete = entry.timeline.older == nil
    entries[name] = entry
    cache?.append(keptRows(entry.timeline, change.inserted, page), to: name, older: entry.timeline.older)
    keepChanged(change, of: entry.timeline, page)
    tell(change, name, .older)
  }

  private func fill(_ cursor: PageCursor, in name: TimelineName, with page: Page<Qwink>) {
    takeUpKept(downTo: page, of: name)
    var entry = entry(name)
    let change = entry.timeline.fillGap(cursor, with: page)
    entry.state.error = nil
    entries[name] = entry
    guard !change.isEmpty else { return }
    entries[name]?.keptOffset += change.inserted.count - change.removed.count
    cache?.fillGap(cursor, with: keptRows(entry.timeline, change.inserted, page), in: name)
    keepChanged(change, of: entry.timeline, page)
    tell(change, name, .older)
  }

  /// What I wrote has been posted.
  func takeInPosted(_ qwink: Qwink, from entry: Entry) {
    takeInOwn(qwink)
    forEachObserver { $0.feed(self, didPost: qwink, from: entry) }
    didPost(entry, as: qwink)
  }

  /// Puts one's own new qwink on top of the timelines that it belongs to.
  private func takeInOwn(_ qwink: Qwink) {
    for name in entries.keys where belongs(qwink, in: name) { takeInOwn(qwink, in: name) }
  }

  private func takeInOwn(_ qwink: Qwink, in name: TimelineName) {
    guard let entry = entries[name] else { return }
    guard entry.state.refreshedAt != nil || !entry.timeline.isEmpty else {
      entries[name]?.waitingOwn.append(qwink)
      return
    }
    guard let change = entries[name]?.timeline.insertOwn(qwink) else { return }
    if !change.inserted.isEmpty {
      entries[name]?.keptOffset += 1
      cache?.prepend([TimelineCache.Row(.qwink(qwink))], to: name)
    }
    tell(change, name, .own)
  }

  private func belongs(_ qwink: Qwink, in name: TimelineName) -> Bool {
    switch name {
    case .home: qwink.visibility != .direct
    case .public, .local: qwink.visibility == .public && qwink.inReplyTo == nil
    case .tag(let tag): qwink.visibility == .public && qwink.tags.contains { $0.lowercased() == tag.lowercased() }
    case .qwinker(let id): qwink.author.id == id
    case .marks, .favourites: false
    }
  }

  /// Rows as the store keeps them, with the server's own JSON where `page` brought it.
  private func keptRows(_ timeline: Timeline, _ range: Range<Int>, _ page: Page<Qwink>) -> [TimelineCache.Row] {
    let sources = sources(of: page)
    return timeline.rows[range].map { row in
      TimelineCache.Row(row, source: row.qwink.flatMap { sources[$0.rowID] })
    }
  }

  private func keepChanged(_ change: Timeline.Change, of timeline: Timeline, _ page: Page<Qwink>) {
    guard !change.changed.isEmpty, let cache else { return }
    let sources = sources(of: page)
    cache.update(
      change.changed.map { index in
        let row = timeline.rows[index]
        return TimelineCache.Row(row, source: row.qwink.flatMap { sources[$0.rowID] })
      })
  }

  private func sources(of page: Page<Qwink>) -> [Qwink.RowID: [UInt8]] {
    guard page.sources.count == page.items.count else { return [:] }
    let sources = zip(page.items.map(\.rowID), page.sources).filter { !$1.isEmpty }
    return Dictionary(sources) { first, _ in first }
  }
}
