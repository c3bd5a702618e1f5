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
  /// How each reaction was settled last, and as which of all.
  private var settled: [ReactionKey: (number: Int, isOn: Bool)] = [:]
  /// How many reactions have been settled. A page that is asked for now may have been made before the next ones.
  private(set) var settledCount = 0

  func want(_ isOn: Bool, for key: ReactionKey) -> Bool { switches.want(isOn, for: key) }

  func target(of key: ReactionKey) -> Bool? { switches.target(of: key) }

  func next(after key: ReactionKey) -> Bool? { switches.next(after: key) }

  func settle(_ key: ReactionKey, isOn: Bool) {
    settledCount += 1
    settled[key] = (settledCount, isOn)
  }

  /// `page`, which was asked for when ``settledCount`` was `count`, with the reactions that the server may not have
  /// known of when it made the page.
  func applied(to page: Page<Qwink>, since count: Int) -> Page<Qwink> {
    let recent = settled.filter { $0.value.number > count }.mapValues(\.isOn)
    let known = recent.merging(switches.targets) { $1 }
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
}
