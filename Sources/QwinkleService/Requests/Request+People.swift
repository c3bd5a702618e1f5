import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Qwinker {
  /// A qwinker by id.
  public static func qwinker(_ id: Qwinker.ID) -> Request {
    Request("download of an account", .get, RequestPath.account(id), decode: WireDecoder.qwinker)
  }

  /// A qwinker by handle: `alice` or `alice@example.org`.
  public static func lookup(handle: String) -> Request {
    Request(
      "download of an account", .get, "/api/v1/accounts/lookup?acct=\(RequestPath.piece(handle))",
      decode: WireDecoder.qwinker)
  }
}

extension Request where Answer == Page<Qwinker> {
  /// The first page of a list of accounts.
  public static func qwinkers(_ name: QwinkerListName, limit: Int) -> Request {
    if case .collection = name {
      return page("download of a collection", at: .path(RequestPath.list(name)), decode: WireDecoder.collectionMembers)
    }
    var request = page(at: .path("\(RequestPath.list(name))?limit=\(limit)"))
    request.ability =
      switch name {
      case .requesters: .followRequests
      case .blocked: .blockedList
      case .muted: .mutedList
      default: nil
      }
    return request
  }

  /// The page of a list of accounts at `cursor`, which an earlier page returned.
  public static func qwinkersPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  /// Qwinkers whose names begin with `start`, for completion.
  public static func completeHandle(_ start: String, limit: Int) -> Request {
    page(at: .path("/api/v1/accounts/search?q=\(RequestPath.piece(start))&limit=\(limit)"))
  }

  private static func page(at place: RequestPlace) -> Request {
    page("download of accounts", at: place, decode: WireDecoder.qwinkers)
  }
}

extension Request where Answer == [Relationship] {
  /// The user's relationships to some qwinkers. Some servers return only the first.
  public static func relationships(_ ids: [Qwinker.ID]) -> Request {
    let query = ids.map { "id%5B%5D=\(RequestPath.piece($0.rawValue))" }.joined(separator: "&")
    return Request(
      "download of relationships", .get, "/api/v1/accounts/relationships?\(query)", decode: WireDecoder.relationships)
  }
}

extension Request where Answer == Relationship {
  /// The user's relationship to a qwinker.
  public static func relationship(_ id: Qwinker.ID) -> Request {
    let path = "/api/v1/accounts/relationships?id%5B%5D=\(RequestPath.piece(id.rawValue))"
    return Request("download of a relationship", .get, path) { (body) throws(WireError) in
      guard let first = try WireDecoder.relationships(from: body).first else { throw .unexpected("an empty list") }
      return first
    }
  }

  /// Follows a qwinker, or unfollows them if `isOn` is false. If the user already follows them, changes the options of
  /// the follow.
  public static func follow(_ id: Qwinker.ID, isOn: Bool, options: FollowOptions? = nil) -> Request {
    let path = "\(RequestPath.account(id))/\(isOn ? "follow" : "unfollow")"
    guard isOn, let options, !options.isEmpty else {
      return Request("following", .post, path, decode: WireDecoder.relationship)
    }
    return Request(
      "following", .post, path, json: WireEncoder.followOptions(options), decode: WireDecoder.relationship)
  }

  /// Mutes a qwinker for `seconds`, or indefinitely if `seconds` is 0. Optionally hides their notifications.
  public static func mute(_ id: Qwinker.ID, hidesNotifications: Bool = true, seconds: Int = 0) -> Request {
    Request(
      "muting", .post, "\(RequestPath.account(id))/mute",
      json: WireEncoder.mute(hidesNotifications: hidesNotifications, seconds: seconds),
      decode: WireDecoder.relationship)
  }

  /// Unmutes a qwinker.
  public static func unmute(_ id: Qwinker.ID) -> Request { change("unmuting", id, "unmute") }

  /// Blocks a qwinker, or unblocks them if `isOn` is false.
  public static func block(_ id: Qwinker.ID, isOn: Bool) -> Request {
    change(isOn ? "blocking" : "unblocking", id, isOn ? "block" : "unblock")
  }

  /// Removes a qwinker from the user's followers.
  public static func removeFollower(_ id: Qwinker.ID) -> Request {
    change("removing a follower", id, "remove_from_followers")
  }

  /// Saves a private note about a qwinker. An empty note removes it.
  public static func note(_ text: String, about id: Qwinker.ID) -> Request {
    Request(
      "saving a note", .post, "\(RequestPath.account(id))/note", json: WireEncoder.note(text),
      decode: WireDecoder.relationship)
  }

  private static func change(_ name: String, _ id: Qwinker.ID, _ verb: String) -> Request {
    Request(name, .post, "\(RequestPath.account(id))/\(verb)", decode: WireDecoder.relationship)
  }

  /// Accepts or rejects a qwinker's request to follow the user.
  public static func answerFollowRequest(_ id: Qwinker.ID, accepts: Bool) -> Request {
    Request(
      "accepting or rejecting a follow request", .post,
      "/api/v1/follow_requests/\(RequestPath.piece(id.rawValue))/\(accepts ? "authorize" : "reject")",
      decode: WireDecoder.relationship)
  }
}

extension RequestPath {
  fileprivate static func list(_ name: QwinkerListName) -> String {
    switch name {
    case .followers(let id): "\(account(id))/followers"
    case .following(let id): "\(account(id))/following"
    case .boosters(let id): "\(status(id))/reblogged_by"
    case .favouriters(let id): "\(status(id))/favourited_by"
    case .requesters: "/api/v1/follow_requests"
    case .blocked: "/api/v1/blocks"
    case .muted: "/api/v1/mutes"
    case .members(let id): "\(list(id))/accounts"
    case .collection(let id, _): "/api/v1/collections/\(piece(id.rawValue))"
    }
  }
}
