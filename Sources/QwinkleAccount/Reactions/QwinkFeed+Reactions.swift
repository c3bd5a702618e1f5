public import QwinkleModel
import QwinkleService

/// Which reaction to which qwink.
struct ReactionKey: Hashable {
  var id: Qwink.ID
  var reaction: Reaction
}

/// Boosting, favouring, marking, and taking it back. It shows at once; the server's answer corrects it where it has to.
extension QwinkFeed {
  /// Does something to a qwink, or takes it back where `isOn` is false. ``undo()`` reverses it.
  public func react(to qwink: Qwink, with reaction: Reaction, isOn: Bool) {
    remember(.reaction(qwink, reaction, isOn: isOn))
    send(reaction, to: qwink, isOn: isOn)
  }

  /// As ``react(to:with:isOn:)``, but is not itself undone.
  func send(_ reaction: Reaction, to qwink: Qwink, isOn: Bool) {
    let key = ReactionKey(id: qwink.originalID, reaction: reaction)
    lastReactions[key] = isOn
    let wanted = current(qwink).setting(reaction, to: isOn)
    reactedQwinks[key] = wanted
    takeIn(wanted)
    if isUnderWay(key) {
      // Two at once could arrive in any order.
      wantedReactions[key] = isOn
    } else {
      start(key, isOn: isOn)
    }
  }

  /// Settles one reaction by its own answer. Of the others, and of the text, an answer that was made earlier and came
  /// later knows less than is known here.
  func didReact(_ key: ReactionKey, isOn: Bool, now qwink: Qwink) {
    guard wantedReactions[key] ?? isOn == isOn else { return }
    let known = reactedQwinks[key] ?? current(qwink)
    takeIn(known.original.settled(key.reaction, isOn: isOn, by: qwink))
    noteForReads(key, isOn: isOn)
  }

  /// Whether I have done something to a qwink, as far as is known here.
  public func has(_ reaction: Reaction, _ qwink: Qwink) -> Bool {
    has(ReactionKey(id: qwink.originalID, reaction: reaction)) ?? qwink.has(reaction)
  }

  private func has(_ key: ReactionKey) -> Bool? {
    for entry in entries.values {
      let row = entry.timeline.rows.lazy.compactMap(\.qwink).first { $0.originalID == key.id }
      if let row { return row.has(key.reaction) }
    }
    return lastReactions[key]
  }

  func didFailToReact(_ key: ReactionKey, isOn: Bool, with error: DownloadError) {
    guard wantedReactions[key] ?? isOn == isOn else { return }
    // Only this: what else became of it since stays.
    if let qwink = reactedQwinks[key] { takeIn(current(qwink).setting(key.reaction, to: !isOn)) }
    noteForReads(key, isOn: !isOn)
    forgetAct { $0.isReaction(key, isOn: isOn) }
    lastReactions[key] = !isOn
    let failure = FeedFailure(key.reaction.words(isOn: isOn), error) { [weak self] in
      self.map { $0.has(key) != isOn } ?? true
    }
    forEachObserver { $0.feed(self, didFail: failure) }
  }

  /// Sends what was wanted while an earlier one was under way.
  func sendWantedReaction(_ key: ReactionKey, after isOn: Bool) {
    guard let wanted = wantedReactions.removeValue(forKey: key), wanted != isOn else {
      reactedQwinks[key] = nil
      return
    }
    start(key, isOn: wanted)
  }

  // MARK: Pages that were made before

  /// `page` with the reactions that the server may not have known of when it made the page.
  func withOwnReactions(_ page: Page<Qwink>, for identifier: DownloadIdentifier) -> Page<Qwink> {
    var known = settledReactions[identifier] ?? [:]
    for case .react(let key, let isOn) in purposes.values { known[key] = wantedReactions[key] ?? isOn }
    guard !known.isEmpty else { return page }
    var page = page
    for (key, isOn) in known {
      for index in page.items.indices where page.items[index].originalID == key.id {
        guard page.items[index].has(key.reaction) != isOn else { continue }
        page.items[index] = page.items[index].setting(key.reaction, to: isOn)
        // What the server wrote is not what is so.
        if page.sources.indices.contains(index) { page.sources[index] = [] }
      }
    }
    return page
  }

  /// Pages that are under way may have been made before the server knew of a reaction.
  private func noteForReads(_ key: ReactionKey, isOn: Bool) {
    for (identifier, purpose) in purposes {
      switch purpose {
      case .newest, .older, .gap: settledReactions[identifier, default: [:]][key] = isOn
      default: break
      }
    }
  }

  private func start(_ key: ReactionKey, isOn: Bool) {
    purposes[service.start(.react(key.id, key.reaction, isOn: isOn), delegate: self)] = .react(key, isOn: isOn)
  }

  private func isUnderWay(_ key: ReactionKey) -> Bool {
    purposes.values.contains { if case .react(key, _) = $0 { true } else { false } }
  }
}

extension Qwink {
  /// With a reaction, and how many others had it, as the answer to it says; the rest as it is.
  fileprivate func settled(_ reaction: Reaction, isOn: Bool, by answer: Qwink) -> Qwink {
    let answer = answer.setting(reaction, to: isOn)
    var settled = setting(reaction, to: isOn)
    switch reaction {
    case .boost: settled.boostsCount = answer.boostsCount
    case .favourite: settled.favouritesCount = answer.favouritesCount
    case .bookmark: break
    }
    return settled
  }
}

extension Reaction {
  /// What failed, as the beginning of a sentence.
  fileprivate func words(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "The boost"
    case (.boost, false): "Taking back the boost"
    case (.favourite, true): "The favourite"
    case (.favourite, false): "Taking back the favourite"
    case (.bookmark, true): "The mark"
    case (.bookmark, false): "Taking back the mark"
    }
  }
}
