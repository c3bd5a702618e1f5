public import QwinkleModel

/// What can be asked of a service. A value: two equal requests that are under way at once share one exchange,
/// except for ``post(_:)``, ``delete(_:)``, which are never joined.
public enum DownloadRequest: Hashable, Sendable {
  /// Who the server is and, signed in, who I am: see ``DownloadService/connect(delegate:)``.
  case connect
  /// The first page of a timeline.
  case timeline(TimelineName, limit: Int)
  /// Another page of a timeline, by a cursor of an earlier page.
  case timelinePage(TimelineName, PageCursor)
  /// What stands around a qwink.
  case thread(Qwink.ID)
  case qwink(Qwink.ID)
  case qwinker(Qwinker.ID)
  /// Somebody by handle: `alice` or `alice@example.org`.
  case lookup(handle: String)
  case post(Entry)
  case delete(Qwink.ID)
}

/// What an answer held.
public enum Download: Sendable {
  case qwinks(Page<Qwink>)
  case qwink(Qwink)
  case thread(QwinkThread)
  case qwinker(Qwinker)
  case serverInfo(ServerInfo)
  case deleted(Qwink.ID)
}

/// One download, until it has finished. Equal to itself alone.
public struct DownloadIdentifier: Hashable, Sendable {
  let number: Int
}
