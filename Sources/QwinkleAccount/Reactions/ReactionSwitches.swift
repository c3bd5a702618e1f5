import QwinkleModel

/// A qwink and a reaction to it.
struct ReactionKey: Hashable {
  var id: Qwink.ID
  var reaction: Reaction
}

extension ReactionKey {
  /// Creates the key of a change in the outbox, or returns nil if the change isn't a reaction.
  init?(_ change: OutgoingChange) {
    guard let reaction = change.reaction else { return nil }
    self.init(id: Qwink.ID(change.target), reaction: reaction)
  }

  /// The ``OutgoingChange/key`` of the reaction.
  var change: String { OutgoingChange(.reaction(reaction), of: id.rawValue).key }
}

/// Reactions that a fetched page may lack: queued reactions, and reactions that the server accepted or rejected after
/// the page was requested.
@MainActor
final class ReactionSwitches {
  /// Returns the queued reactions.
  var wanted: @MainActor () -> [ReactionKey: Bool] = { [:] }
  /// The last state of each reaction that the server has accepted or rejected, with its sequence number.
  private var settled: [ReactionKey: (number: Int, isOn: Bool)] = [:]
  /// Number of calls to ``settle(_:isOn:)`` so far. A page requested now may lack reactions settled later.
  private(set) var settledCount = 0

  func settle(_ key: ReactionKey, isOn: Bool) {
    settledCount += 1
    settled[key] = (settledCount, isOn)
  }

  /// Returns `page` with the reactions that it may lack. `count` is the ``settledCount`` when the page was requested.
  func applied(to page: Page<Qwink>, since count: Int) -> Page<Qwink> {
    let recent = settled.filter { $0.value.number > count }.mapValues(\.isOn)
    let known = recent.merging(wanted()) { $1 }
    var page = page
    for (key, isOn) in known {
      for index in page.items.indices where page.items[index].originalID == key.id {
        guard page.items[index].has(key.reaction) != isOn else { continue }
        page.items[index] = page.items[index].setting(key.reaction, to: isOn)
        page.changed.insert(index)
      }
    }
    return page
  }
}
