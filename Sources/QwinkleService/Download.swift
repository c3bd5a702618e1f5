public import QwinkleModel

/// What can be asked of a service. A value: two equal requests that are under way at once share one exchange,
/// except for those that change something (``isWrite``), which are never joined.
public enum DownloadRequest: Hashable, Sendable {
  /// Who the server is and, signed in, who I am: see ``DownloadService/connect(delegate:)``.
  case connect

  // MARK: Timelines and qwinks

  /// The first page of a timeline.
  case timeline(TimelineName, limit: Int)
  /// Another page of a timeline, by a cursor of an earlier page.
  case timelinePage(TimelineName, PageCursor)
  /// What stands around a qwink.
  case thread(Qwink.ID)
  case qwink(Qwink.ID)
  /// What a qwink said at each time, oldest first.
  case versions(Qwink.ID)
  /// What its author typed, to be edited.
  case source(Qwink.ID)
  case post(Entry)
  /// Puts an entry in the place of what a qwink said before. Attachments that it does not name are dropped, and with
  /// any edit a poll.
  case edit(Qwink.ID, Entry)
  case delete(Qwink.ID)
  /// Does something to a qwink, or takes it back where `isOn` is false. The answer is the qwink itself in its new
  /// state, ``Qwink/original``, also where it was boosted.
  case react(Qwink.ID, Reaction, isOn: Bool)

  // MARK: Private messages

  case conversations(limit: Int)
  case conversationsPage(PageCursor)
  case readConversation(Conversation.ID)
  case deleteConversation(Conversation.ID)

  // MARK: Notices

  case notifications(limit: Int)
  case notificationsPage(PageCursor)
  /// How far lists have been read on any client.
  case readPositions
  /// Says how far a list has been read; the id is that of its newest item read.
  case setReadPosition(ReadPosition.Place, lastReadID: String)

  // MARK: People

  case qwinker(Qwinker.ID)
  /// Somebody by handle: `alice` or `alice@example.org`.
  case lookup(handle: String)
  case qwinkers(QwinkerListName, limit: Int)
  case qwinkersPage(QwinkerListName, PageCursor)
  /// Those whose names begin so, for completing a name that is being typed.
  case completeHandle(String, limit: Int)
  /// How I stand to somebody.
  case relationship(Qwinker.ID)
  /// Follows somebody, or no longer where `isOn` is false.
  case follow(Qwinker.ID, isOn: Bool)
  /// Accepts somebody's request to follow me, or refuses it.
  case answerFollowRequest(Qwinker.ID, accepts: Bool)
  /// What I say of myself, as I typed it.
  case ownProfile
  case setOwnProfile(OwnProfile)

  /// Qwinkers, qwinks and tags. A URL, or a handle of another server, is looked for there too.
  case search(String, limit: Int)
}

/// What an answer held.
public enum Download: Sendable {
  case qwinks(Page<Qwink>)
  case qwink(Qwink)
  case thread(QwinkThread)
  case versions([QwinkVersion])
  case source(QwinkSource)
  case conversations(Page<Conversation>)
  case conversation(Conversation)
  case notifications(Page<AccountNotification>)
  case readPositions([ReadPosition])
  case qwinker(Qwinker)
  case qwinkers(Page<Qwinker>)
  case relationship(Relationship)
  case ownProfile(OwnProfile)
  /// Who is signed in, and who may read what they write unless they say otherwise; nil where the server does not say
  /// that.
  case me(Qwinker, usualVisibility: Visibility?)
  case searchResults(SearchResults)
  case serverInfo(ServerInfo)
  case deleted(Qwink.ID)
  case deletedConversation(Conversation.ID)
}

/// One download, until it has finished. Equal to itself alone.
public struct DownloadIdentifier: Hashable, Sendable {
  let number: Int
}
