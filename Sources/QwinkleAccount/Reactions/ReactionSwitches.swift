import QwinkleModel

/// Which reaction to which qwink.
struct ReactionKey: Hashable {
  var id: Qwink.ID
  var reaction: Reaction
}

/// Reactions that pages on their way may not show yet: those under way, and those settled since a page was asked for.
@MainActor
final class ReactionSwitches {
  private var switches = Switches<ReactionKey>()
  /// The last settled state of each reaction, with its number.
  private var settled: [ReactionKey: (number: Int, isOn: Bool)] = [:]
  /// Number of reactions settled so far. A page asked for now may lack later ones.
  private(set) var settledCount = 0

  func want(_ isOn: Bool, for key: ReactionKey) -> Bool { switches.want(isOn, for: key) }

  func target(of key: ReactionKey) -> Bool? { switches.target(of: key) }

  func next(after key: ReactionKey) -> Bool? { switches.next(after: key) }

  func settle(_ key: ReactionKey, isOn: Bool) {
    settledCount += 1
    settled[key] = (settledCount, isOn)
  }

  /// `page` with the reactions that it may lack, if it was asked for when ``settledCount`` was `count`.
  func applied(to page: Page<Qwink>, since count: Int) -> Page<Qwink> {
    let recent = settled.filter { $0.value.number > count }.mapValues(\.isOn)
    let known = recent.merging(switches.targets) { $1 }
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
