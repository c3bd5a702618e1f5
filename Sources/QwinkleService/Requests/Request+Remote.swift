public import QwinkleModel
import QwinkleWire

/// Requests for timelines of other servers. Send them only to the timeline's own server. The qwinks in the answers have
/// ids that can't be confused with ids of the user's server.
extension Request where Answer == Page<Qwink> {
  /// The newest page of another server's timeline. `domain` is the domain in the handles of that server's accounts.
  public static func timeline(_ remote: RemoteTimeline, domain: String, limit: Int) -> Request {
    timeline(remote.name, limit: limit).from(remote.host, domain: domain)
  }

  /// The page of another server's timeline at `cursor`, which an earlier page returned.
  public static func timelinePage(_ remote: RemoteTimeline, domain: String, _ cursor: PageCursor) -> Request {
    timelinePage(remote.name, cursor).from(remote.host, domain: domain)
  }

  /// Returns the request with answers that are changed by ``QwinkleModel/Qwink/fromOtherServer(_:domain:)``. The
  /// answers have no JSON, because the ids in the server's JSON aren't valid on the user's server.
  private func from(_ host: String, domain: String) -> Request {
    var request = self
    let read = self.read
    request.read = { (response) throws(WireError) in
      try read(response).map { $0.fromOtherServer(host, domain: domain) }
    }
    // The next page of a list that is too large is requested by the server's own id.
    request.paging?.lastID = { $0.items.last?.idOnItsServer }
    return request.stayingOnHost
  }
}
