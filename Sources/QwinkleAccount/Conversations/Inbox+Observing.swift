public import QwinkleModel
import QwinkleStore

/// Updates of the inbox after changes in other parts of the account.
extension Inbox: AccountObserver {
  public func connectionDidWrite(_ connection: AccountConnection) {
    if state.offlineSince != nil { refresh() }
  }

  public func identityDidChange(_ identity: Identity) {
    search.isFirstVersion = identity.serverInfo?.isFirstVersion
    guard identity.me != nil else { return }
    // The recipients of found messages can be determined only now.
    if search.isWaiting {
      mergeFound()
      tellState()
    }
    for id in chats.keys { tellChat(id) }
  }

  /// Hides conversations with people the user just muted or blocked, and shows them again if the request fails.
  public func followsDidChangeHidden(_ follows: Follows) {
    if !follows.people.isSame(as: hiddenPeople) { change { $0.hiddenPeople = follows.people } }
  }

  /// Refreshes the list after a direct message was posted outside a chat, because its conversation may be new.
  public func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {
    guard entry.visibility == .direct || qwink.visibility == .direct else { return }
    if entry.visibility == .direct, qwink.visibility != .direct { search.messages.takeSent(qwink) }
    refresh()
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    for (id, chat) in chats where chat.log.contains(qwink.id) { absorb([asMessage(qwink, in: id)], in: id) }
    guard var conversation = list.items.first(where: { $0.lastQwink?.id == qwink.id }) else { return }
    conversation.lastQwink = asMessage(qwink, in: conversation.id)
    cache?.update(conversation)
    change { $0.list.update([conversation]) }
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    search.messages.remove(id)
    cache?.removeMessages([id])
    for key in chats.keys where chats[key]?.log.contains(id) == true {
      let message = asMessage(qwink, in: key)
      chats[key]?.log.replace(id, by: message)
      cache?.keep([message], of: key)
      tellChat(key)
    }
    guard var conversation = list.items.first(where: { $0.lastQwink?.id == id }) else { return }
    conversation.lastQwink = asMessage(qwink, in: conversation.id)
    cache?.update(conversation)
    change { $0.list.update([conversation]) }
  }

  public func timelines(_ timelines: Timelines, didDelete qwinkID: Qwink.ID) {
    search.messages.remove(qwinkID)
    cache?.removeMessages([qwinkID])
    for (id, chat) in chats {
      let quoting = chat.log.messages.compactMap { $0.withholdingQuote(of: qwinkID) }
      if !quoting.isEmpty { absorb(quoting, in: id) }
    }
    for id in chats.keys where chats[id]?.log.remove(qwinkID) == true {
      if chats[id]?.conversation.lastQwink?.id == qwinkID { chats[id]?.conversation.lastQwink = nil }
      tellChat(id)
    }
    guard var conversation = list.items.first(where: { $0.lastQwink?.id == qwinkID }) else { return }
    conversation.lastQwink = chats[conversation.id]?.log.messages.last
    change { $0.list.update([conversation]) }
    // A refresh of the list also fetches the conversation's current last message.
    refresh()
  }
}
