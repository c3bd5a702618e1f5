import FoundationEssentials
public import QwinkleModel
import QwinkleService
import Timekeeping

/// Filters that keys and commands create and change: mutes of hashtags, and filters of single qwinks.
extension Account {
  /// Mutes a hashtag, given without `#`, with a filter on the server, or unmutes it by deleting that filter. If `isOn`
  /// is nil, does the opposite of the current state. ``undo()`` restores the former state, including the time until
  /// which the hashtag was muted.
  ///
  /// - Parameters:
  ///   - seconds: The duration of the mute; nil mutes permanently.
  ///   - done: Called with whether the hashtag is muted now.
  public func muteTag(
    _ name: String, isOn: Bool? = nil, seconds: Int? = nil, done: @escaping @MainActor (_ isOn: Bool) -> Void
  ) {
    change(by: .filters, failing: "Your filters") { [weak self] filters in
      guard let self else { return }
      let mutes = filters.filter { $0.isMute(ofTag: name, at: self.clock.now) }
      guard isOn ?? mutes.isEmpty else {
        guard !mutes.isEmpty else { return done(false) }
        return unmute(mutes[...], tag: name) { [weak self] in
          self?.rememberAct(undoneAs: "#\(name) muted again") { [weak self] in
            self?.restore(mutes[...], tag: name)
          }
          done(false)
        }
      }
      guard let mute = mutes.first else {
        return change(by: .createFilter(.muting(tag: name), seconds: seconds), failing: "Muting #\(name)") {
          [weak self] mute in
          self?.timelines.apply(mute)
          self?.rememberAct(undoneAs: "#\(name) unmuted") { [weak self] in self?.unmute([mute], tag: name) }
          done(true)
        }
      }
      guard let seconds else { return done(true) }
      change(by: .changeFilter(mute, seconds: seconds, removing: []), failing: "Muting #\(name)") {
        [weak self] changed in
        self?.timelines.apply(changed)
        self?.rememberAct(undoneAs: "#\(name) muted as before") { [weak self] in
          self?.restore(mute, insteadOf: changed, tag: name)
        }
        done(true)
      }
    }
  }

  /// Deletes filters, one after the other.
  private func unmute(
    _ mutes: ArraySlice<ContentFilter>, tag: String, _ done: @escaping @MainActor () -> Void = {}
  ) {
    guard let mute = mutes.first else { return done() }
    change(by: .deleteFilter(mute.id), failing: "Unmuting #\(tag)") { [weak self] in
      self?.timelines.withdraw(mute)
      let rest = mutes.dropFirst()
      if rest.isEmpty { done() } else { self?.unmute(rest, tag: tag, done) }
    }
  }

  /// Creates deleted filters again, one after the other, until the same times as before. Skips filters that would have
  /// expired by now.
  private func restore(
    _ mutes: ArraySlice<ContentFilter>, tag: String, _ done: @escaping @MainActor () -> Void = {}
  ) {
    guard var mute = mutes.first else { return done() }
    let rest = mutes.dropFirst()
    let seconds = secondsLeft(of: mute)
    if let seconds, seconds <= 0 { return restore(rest, tag: tag, done) }
    mute.id = ""
    for index in mute.keywords.indices { mute.keywords[index].id = "" }
    change(by: .createFilter(mute, seconds: seconds), failing: "Muting #\(tag)") { [weak self] mute in
      self?.timelines.apply(mute)
      self?.undoHistory.withoutRecording { self?.restore(rest, tag: tag, done) }
    }
  }

  /// Restores the time until which a hashtag was muted.
  private func restore(_ mute: ContentFilter, insteadOf changed: ContentFilter, tag: String) {
    guard let seconds = secondsLeft(of: mute) else {
      // No request removes the end of a filter. Create the permanent filter first, so that the hashtag stays muted.
      return restore([mute], tag: tag) { [weak self] in self?.unmute([changed], tag: tag) }
    }
    guard seconds > 0 else { return unmute([changed], tag: tag) }
    change(by: .changeFilter(changed, seconds: seconds, removing: []), failing: "Muting #\(tag)") {
      [weak self] mute in
      self?.timelines.apply(mute)
    }
  }

  /// Returns the seconds until a filter expires, or nil if it doesn't expire.
  private func secondsLeft(of filter: ContentFilter) -> Int? {
    filter.expiresAt.map { Int($0.timeIntervalSince(clock.now).rounded()) }
  }

  /// Adds a qwink to a filter: the filter with this title, or without a title, the filter for single posts, which is
  /// created if necessary. ``undo()`` reverses it.
  ///
  /// - Parameter done: Called with the filter, or with nil if no filter has this title.
  public func filter(_ qwink: Qwink, by title: String?, done: @escaping @MainActor (ContentFilter?) -> Void) {
    change(by: .filters, failing: "Your filters") { [weak self] filters in
      if let filter = filters.titled(title ?? ContentFilter.hiddenPostsTitle) {
        self?.add(qwink, to: filter, done: done)
      } else if title == nil {
        let new = ContentFilter(title: ContentFilter.hiddenPostsTitle, hides: true)
        self?.change(by: .createFilter(new, seconds: nil), failing: "Creating a filter") { [weak self] filter in
          self?.add(qwink, to: filter, done: done)
        }
      } else {
        done(nil)
      }
    }
  }

  private func add(_ qwink: Qwink, to filter: ContentFilter, done: @escaping @MainActor (ContentFilter?) -> Void) {
    let id = timelines.currentID(of: qwink)
    change(by: .addToFilter(filter.id, id), failing: "Filtering the post") { [weak self] entry in
      let others = filter.statuses.filter { $0 != id }
      let extended = filter.listing(others + [id])
      self?.timelines.apply(extended, to: id)
      self?.rememberAct(undoneAs: "No longer filtered: \(filter.title)") { [weak self] in
        self?.change(by: .removeFromFilter(entry), failing: "Removing the post from the filter") { [weak self] in
          // The filter's keywords may still match.
          self?.timelines.apply(filter.listing(others), to: id)
        }
      }
      done(extended)
    }
  }
}

extension ContentFilter {
  /// Returns the filter with other single qwinks.
  fileprivate func listing(_ statuses: [Qwink.ID]) -> ContentFilter {
    var filter = self
    filter.statuses = statuses
    return filter
  }
}

extension [ContentFilter] {
  /// Returns the filter with a title, ignoring case, or with an id.
  public func titled(_ title: String) -> ContentFilter? {
    first { $0.title == title } ?? first { $0.title.lowercased() == title.lowercased() }
      ?? first { $0.id.rawValue == title }
  }
}
