import QwinkleModel

/// Which reaction to which qwink.
struct ReactionKey: Hashable {
  var id: Qwink.ID
  var reaction: Reaction
}

extension ReactionKey {
  /// The key of a change in the outbox; nil if that is no reaction.
  init?(_ change: OutgoingChange) {
    guard let reaction = change.reaction else { return nil }
    self.init(id: Qwink.ID(change.target), reaction: reaction)
  }

  /// ``OutgoingChange/key``.
  var change: String { OutgoingChange(reaction.change, of: id.rawValue).key }
}

/// Reactions that pages on their way may not show yet: those to be sent, and those settled since a page was asked for.
@MainActor
final class ReactionSwitches {
  /// The reactions to be sent.
  var wanted: @MainActor () -> [ReactionKey: Bool] = { [:] }
  /// The last settled state of each reaction, with its number.
  private var settled: [ReactionKey: (number: Int, isOn: Bool)] = [:]
  /// Number of reactions settled so far. A page asked for now may lack later ones.
  private(set) var settledCount = 0

  func settle(_ key: ReactionKey, isOn: Bool) {
    settledCount += 1
    settled[key] = (settledCount, isOn)
  }

  /// `page` with the reactions that it may lack, if it was asked for when ``settledCount`` was `count`.
  func applied(to page: Page<Qwink>, since count: Int) -> Page<Qwink> {
    let recent = settled.filter { $0.value.number > count }.mapValues(\.isOn)
    let known = recent.merging(wanted()) { $1 }
    var page = page
    for (key, isOn) in known {
      for index in page.items.indices where page.items[index].originalID == key.id {
        guard page.items[index].has(key.reaction) != isOn else { continue }
        page.items[index] = page.items[index].setting(key.reaction, to: isOn)
        // The server's JSON is outdated.
        if page.sources.indices.contains(index) { page.sources[index] = [] }
      }
    }
    return page
  }
}
