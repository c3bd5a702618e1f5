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
    case (.gap(let name), .qwinks(let page)):
      takeInGap(withOwnReactions(page, for: identifier), of: name)
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
    case .older(let name):
      entries[name]?.state.error = error
    case .gap(let name):
      entries[name]?.state.error = error
      endFilling(name)
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
      fetchGapPage(name)
      tellState(name)
      let isKnown = serverInfo != nil && (me != nil || !isSignedIn)
      if !isKnown, entries[name]?.state.error == nil { identify() }
    case .older(let name), .gap(let name):
      entries[name]?.state.isLoadingMore = false
      if entries[name]?.filling == nil { entries[name]?.state.gap = nil }
      if let cause = entries[name]?.waitingRefresh {
        startRefresh(name, cause)
      } else {
        fetchGapPage(name)
      }
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
    let change = entry.timeline.mergeNewest(page)
    entry.state.error = nil
    entry.state.offlineSince = nil
    entry.state.refreshedAt = clock.now
    entry.state.isComplete = entry.isComplete
    entry.leadsRightAbove = page.newer?.leadsRightAbove ?? entry.leadsRightAbove
    let waiting = entry.waitingOwn
    entry.waitingOwn = []
    entries[name] = entry
    cache?.mergeNewest(page, in: name)
    tell(change, name, cause)
    for qwink in waiting { takeInOwn(qwink, in: name) }
  }

  /// Takes from the store what is kept down to where a page ends: it must not look new, and goes where the newest page
  /// does not have it any more.
  func takeUpKept(downTo page: Page<Qwink>, of name: TimelineName) {
    for qwink in page.items.reversed() where entry(name).timeline.hasMoreKept {
      loadKept(name, downTo: qwink.rowID)
      if entry(name).timeline.index(of: qwink.rowID) != nil { return }
    }
  }

  private func append(_ page: Page<Qwink>, to name: TimelineName) {
    var entry = entry(name)
    guard let cursor = entry.timeline.older else { return }
    let change = entry.timeline.appendOlder(page)
    entry.state.error = nil
    entry.state.isComplete = entry.isComplete
    entries[name] = entry
    cache?.merge(page, at: cursor, in: name)
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
    if !change.inserted.isEmpty { cache?.insertOwn(qwink, in: name) }
    tell(change, name, .own)
  }

  private func belongs(_ qwink: Qwink, in name: TimelineName) -> Bool {
    switch name {
    case .home: qwink.visibility != .direct
    case .public, .local: qwink.visibility == .public && qwink.inReplyTo == nil
    case .tag(let tag): qwink.visibility == .public && qwink.tags.contains { $0.lowercased() == tag.lowercased() }
    case .qwinker(let id): qwink.author.id == id
    case .bookmarks, .favourites: false
    }
  }
}
