/// Conversations as far as they are known, newest first, each once. Order is the server's, by page.
public struct ConversationList: Sendable {
  /// What taking in a page did, for whoever keeps the list elsewhere too.
  public enum Merge: Hashable, Sendable {
    /// The page stands on top now; these are gone.
    case onTop(dropped: [Conversation.ID])
    /// Nothing but the page is known now.
    case replaced
  }

  public private(set) var items: [Conversation] = []
  /// The way to what is older than the last one; nil at the end, or where nothing was fetched yet.
  public private(set) var older: PageCursor?
  /// Ways that pages have led: one that leads back would lead on for ever.
  private var followed: Set<PageCursor> = []

  public init() {}

  public func index(of id: Conversation.ID) -> Int? { items.firstIndex { $0.id == id } }

  public subscript(id: Conversation.ID) -> Conversation? { index(of: id).map { items[$0] } }

  /// Takes in the newest page. Where it does not reach what is known, what is known goes: nobody can say what stands
  /// between. `hasMoreKept` says that others are kept elsewhere that follow after the last one.
  public mutating func mergeNewest(_ page: Page<Conversation>, hasMoreKept: Bool = false) -> Merge {
    let brought = Self.once(page.items)
    let ids = Set(brought.map(\.id))
    let lastKnown = items.lastIndex { ids.contains($0.id) }
    guard page.older != nil, let lastKnown, !brought.isEmpty else {
      items = brought
      followed = []
      older = wayOn(from: page)
      return .replaced
    }
    // What stood between those of the page and is not in it was deleted elsewhere, unless it could not be read.
    let dropped = !page.isComplete ? [] : items[...lastKnown].filter { !ids.contains($0.id) }.map(\.id)
    let reachesEnd = lastKnown == items.count - 1
    let goners = ids.union(dropped)
    items = brought + items.filter { !goners.contains($0.id) }
    if reachesEnd, !hasMoreKept {
      followed = []
      older = wayOn(from: page)
    }
    return .onTop(dropped: dropped)
  }

  /// Takes in the page that ``older`` led to. Returns what is new in it.
  public mutating func appendOlder(_ page: Page<Conversation>) -> [Conversation] {
    older = wayOn(from: page)
    return append(page.items)
  }

  /// Takes in what was kept and stands after those that are here, and the way on from there.
  public mutating func appendKept(_ kept: [Conversation], older: PageCursor?) {
    self.older = older
    _ = append(kept)
  }

  /// Puts a newer state of a conversation that is here in place. Returns whether anything changed.
  @discardableResult
  public mutating func replace(_ conversation: Conversation) -> Bool {
    guard let index = index(of: conversation.id), items[index] != conversation else { return false }
    items[index] = conversation
    return true
  }

  /// Puts a conversation on top, from wherever it was.
  public mutating func putOnTop(_ conversation: Conversation) {
    items.removeAll { $0.id == conversation.id }
    items.insert(conversation, at: 0)
  }

  /// Takes one out. Returns where it was.
  @discardableResult
  public mutating func remove(_ id: Conversation.ID) -> Int? {
    guard let index = index(of: id) else { return nil }
    items.remove(at: index)
    return index
  }

  /// Puts one back where it was, or as near as there is.
  public mutating func insert(_ conversation: Conversation, at index: Int) {
    guard self.index(of: conversation.id) == nil else { return }
    items.insert(conversation, at: min(max(0, index), items.count))
  }

  private mutating func append(_ conversations: [Conversation]) -> [Conversation] {
    let known = Set(items.map(\.id))
    let new = Self.once(conversations).filter { !known.contains($0.id) }
    items += new
    return new
  }

  private mutating func wayOn(from page: Page<Conversation>) -> PageCursor? {
    guard let cursor = page.older, !page.items.isEmpty, followed.insert(cursor).inserted else { return nil }
    return cursor
  }

  private static func once(_ conversations: [Conversation]) -> [Conversation] {
    var seen: Set<Conversation.ID> = []
    return conversations.filter { seen.insert($0.id).inserted }
  }
}
