import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Qwink {
  /// One qwink.
  public static func qwink(_ id: Qwink.ID) -> Request {
    Request("download of a post", .get, RequestPath.status(id), decode: WireDecoder.qwink)
  }

  /// Posts `entry`. Servers that honour its idempotency key publish it once, even if they receive it several times.
  public static func post(_ entry: Entry) -> Request {
    Request("posting", .post, "/api/v1/statuses", json: WireEncoder.entry(entry), decode: WireDecoder.qwink)
      .keyed(by: entry.idempotencyKey)
  }

  /// Replaces a qwink's content with `entry`. Removes attachments and a poll that `entry` omits.
  public static func edit(_ id: Qwink.ID, _ entry: Entry) -> Request {
    Request("editing", .put, RequestPath.status(id), json: WireEncoder.edit(entry), decode: WireDecoder.qwink)
  }

  /// Reacts to a qwink, or undoes the reaction if `isOn` is false. Returns the updated original qwink, even if the
  /// server returns the enclosing boost, or a qwink that doesn't show the change yet.
  public static func react(_ id: Qwink.ID, _ reaction: Reaction, isOn: Bool) -> Request {
    change(id, "reacting", reaction.verb, isOn: isOn) { $0 = $0.setting(reaction, to: isOn) }
  }

  /// Pins one of the user's qwinks to their profile, or unpins it.
  public static func pin(_ id: Qwink.ID, isOn: Bool) -> Request {
    change(id, isOn ? "pinning" : "unpinning", "pin", isOn: isOn) { $0.isPinned = isOn }
  }

  /// Mutes or unmutes the thread of a qwink. A muted thread sends no notifications.
  public static func muteThread(_ id: Qwink.ID, isOn: Bool) -> Request {
    change(id, isOn ? "muting a thread" : "unmuting a thread", "mute", isOn: isOn) { $0.isThreadMuted = isOn }
  }

  /// Changes who may quote one of the user's qwinks.
  public static func setQuotePolicy(of id: Qwink.ID, to policy: QuotePolicy) -> Request {
    Request(
      "changing the quote policy", .put, "\(RequestPath.status(id))/interaction_policy",
      json: WireEncoder.quotePolicy(policy), decode: WireDecoder.qwink)
  }

  /// Removes the user's qwink `id` from a qwink that quotes it. Returns the quoting qwink.
  public static func revokeQuote(of id: Qwink.ID, in quoting: Qwink.ID) -> Request {
    Request(
      "revoking a quote", .post, "\(RequestPath.status(id))/quotes/\(RequestPath.piece(quoting.rawValue))/revoke",
      decode: WireDecoder.qwink)
  }

  private static func change(
    _ id: Qwink.ID, _ name: String, _ verb: String, isOn: Bool, _ change: @escaping @Sendable (inout Qwink) -> Void
  ) -> Request {
    Request(name, .post, "\(RequestPath.status(id))/\(isOn ? "" : "un")\(verb)") { (body) throws(WireError) in
      var qwink = try WireDecoder.qwink(from: body).original
      change(&qwink)
      return qwink
    }
  }
}

extension Request {
  /// The same request with an idempotency key, unless `key` is empty.
  func keyed(by key: String) -> Request {
    guard let name = HTTPField.Name("Idempotency-Key"), !key.isEmpty else { return self }
    var request = self
    request.fields[name] = key
    return request
  }
}

extension Request where Answer == Poll {
  /// The newest state of a poll.
  public static func poll(_ id: Poll.ID) -> Request {
    Request("download of a poll", .get, RequestPath.poll(id), decode: WireDecoder.poll)
  }

  /// Votes for options by index.
  public static func vote(in id: Poll.ID, for choices: [Int]) -> Request {
    Request(
      "voting", .post, "\(RequestPath.poll(id))/votes", json: WireEncoder.votes(choices), decode: WireDecoder.poll)
  }
}

extension RequestPath {
  fileprivate static func poll(_ id: Poll.ID) -> String { "/api/v1/polls/\(piece(id.rawValue))" }
}

extension Request where Answer == Void {
  /// Deletes one of the user's qwinks.
  public static func delete(_ id: Qwink.ID) -> Request {
    Request("deleting", .delete, RequestPath.status(id))
  }
}

extension Request where Answer == QwinkThread {
  /// The thread around a qwink.
  public static func thread(_ id: Qwink.ID) -> Request {
    Request("download of a thread", at: .path("\(RequestPath.status(id))/context")) { (response) throws(WireError) in
      var thread = try WireDecoder.thread(from: response.body)
      thread.refresh = HTTPField.Name(AsyncRefresh.headerName).flatMap { response.head.headerFields[$0] }.flatMap {
        AsyncRefresh(header: $0)
      }
      return thread
    }
  }
}

extension Request where Answer == AsyncRefresh {
  /// The state of an asynchronous refresh.
  public static func asyncRefresh(_ id: String) -> Request {
    Request(
      "search for more replies", .get, "/api/v1_alpha/async_refreshes/\(RequestPath.piece(id))",
      decode: WireDecoder.asyncRefresh)
  }
}

extension Request where Answer == [QwinkVersion] {
  /// The edit history of a qwink, oldest first.
  public static func versions(_ id: Qwink.ID) -> Request {
    Request("download of an edit history", .get, "\(RequestPath.status(id))/history", decode: WireDecoder.versions)
  }
}

extension Request where Answer == Translation {
  /// A translation of a qwink into `language`, or into the language of the user's settings on the server if it is nil.
  public static func translation(of id: Qwink.ID, into language: String?) -> Request {
    Request(
      "translating", .post, "\(RequestPath.status(id))/translate", json: WireEncoder.translationOrder(language),
      decode: WireDecoder.translation
    ).asQuery
  }
}

extension Request where Answer == WrittenQwink {
  /// One of the user's qwinks, with the names of its fields that Qwinkle can't post again.
  public static func written(_ id: Qwink.ID) -> Request {
    Request("download of a post", .get, RequestPath.status(id), decode: WireDecoder.written)
  }
}

extension Request where Answer == QwinkSource {
  /// A qwink's text as its author typed it, for editing.
  public static func source(_ id: Qwink.ID) -> Request {
    Request("download of a source", .get, "\(RequestPath.status(id))/source", decode: WireDecoder.source)
  }
}

extension Reaction {
  /// The last path component that turns the reaction on.
  fileprivate var verb: String {
    switch self {
    case .boost: "reblog"
    case .favourite: "favourite"
    case .bookmark: "bookmark"
    }
  }
}
