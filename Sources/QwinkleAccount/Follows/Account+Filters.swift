public import QwinkleModel
import QwinkleService
import Timekeeping

/// Filters that keys and commands create and change: mutes of hashtags, and filters of single qwinks.
extension Account {
  /// Mutes a hashtag, given without `#`, with a filter on the server, or unmutes it by deleting that filter. If `isOn`
  /// is nil, does the opposite of the current state. ``undo()`` reverses it.
  ///
  /// - Parameters:
  ///   - seconds: The duration of the mute; nil mutes permanently.
  ///   - done: Called with whether the hashtag is muted now.
  public func muteTag(
    _ name: String, isOn: Bool? = nil, seconds: Int? = nil, isUndo: Bool = false,
    done: @escaping @MainActor (_ isOn: Bool) -> Void
  ) {
    change(by: .filters, failing: "Your filters") { [weak self] filters in
      guard let self else { return }
      let mutes = filters.filter { $0.isMute(ofTag: name, at: self.clock.now) }
      let isOn = isOn ?? mutes.isEmpty
      let finish: @MainActor () -> Void = { [weak self] in
        if !isUndo {
          self?.rememberAct(undoneAs: "#\(name) \(isOn ? "unmuted" : "muted")") { [weak self] in
            self?.muteTag(name, isOn: !isOn, seconds: seconds, isUndo: true) { _ in }
          }
        }
        done(isOn)
      }
      guard isOn else { return mutes.isEmpty ? done(false) : unmute(mutes[...], tag: name, finish) }
      if !mutes.isEmpty, seconds == nil { return done(true) }
      let request: Request<ContentFilter> =
        mutes.first.map { .changeFilter($0, seconds: seconds, removing: []) }
        ?? .createFilter(.muting(tag: name), seconds: seconds)
      change(by: request, failing: "Muting #\(name)") { [weak self] filter in
        self?.timelines.apply(filter)
        finish()
      }
    }
  }

  /// Deletes filters, one after the other.
  private func unmute(_ mutes: ArraySlice<ContentFilter>, tag: String, _ done: @escaping @MainActor () -> Void) {
    guard let mute = mutes.first else { return done() }
    change(by: .deleteFilter(mute.id), failing: "Unmuting #\(tag)") { [weak self] in
      self?.timelines.withdraw(filter: mute.id)
      let rest = mutes.dropFirst()
      if rest.isEmpty { done() } else { self?.unmute(rest, tag: tag, done) }
    }
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
      var filter = filter
      filter.statuses.append(id)
      var single = filter
      (single.keywords, single.statuses) = ([], [id])
      self?.timelines.apply(single)
      self?.rememberAct(undoneAs: "No longer filtered: \(filter.title)") { [weak self] in
        self?.change(by: .removeFromFilter(entry), failing: "Removing the post from the filter") { [weak self] in
          self?.timelines.withdraw(filter: filter.id, from: id)
        }
      }
      done(filter)
    }
  }
}

extension [ContentFilter] {
  /// Returns the filter with a title, ignoring case, or with an id.
  public func titled(_ title: String) -> ContentFilter? {
    first { $0.title == title } ?? first { $0.title.lowercased() == title.lowercased() }
      ?? first { $0.id.rawValue == title }
  }
}
