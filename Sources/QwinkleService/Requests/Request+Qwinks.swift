import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Qwink {
  /// One qwink.
  public static func qwink(_ id: Qwink.ID) -> Request {
    Request("download of a qwink", .get, RequestPath.status(id), decode: WireDecoder.qwink)
  }

  /// Posts `entry`. Servers that honour its idempotency key post it once, however often it arrives.
  public static func post(_ entry: Entry) -> Request {
    var request = Request(
      "posting", .post, "/api/v1/statuses", json: WireEncoder.entry(entry), decode: WireDecoder.qwink)
    if let name = HTTPField.Name("Idempotency-Key"), !entry.idempotencyKey.isEmpty {
      request.fields[name] = entry.idempotencyKey
    }
    return request
  }

  /// Replaces a qwink's content by `entry`. Attachments that it doesn't list are dropped, and so is a poll.
  public static func edit(_ id: Qwink.ID, _ entry: Entry) -> Request {
    Request("editing", .put, RequestPath.status(id), json: WireEncoder.edit(entry), decode: WireDecoder.qwink)
  }

  /// Reacts to a qwink, or undoes the reaction if `isOn` is false. The answer is the qwink itself in its new state,
  /// ``Qwink/original``, even if the server answers with the boost around it or with flags from before.
  public static func react(_ id: Qwink.ID, _ reaction: Reaction, isOn: Bool) -> Request {
    let path = "\(RequestPath.status(id))/\(isOn ? "" : "un")\(reaction.verb)"
    return Request("reacting", .post, path) { (body) throws(WireError) in
      try WireDecoder.qwink(from: body).original.setting(reaction, to: isOn)
    }
  }
}

extension Request where Answer == Void {
  /// Deletes one of the user's qwinks.
  public static func delete(_ id: Qwink.ID) -> Request {
    Request("deleting", .delete, RequestPath.status(id)) { (_) throws(WireError) in }
  }
}

extension Request where Answer == QwinkThread {
  /// The thread around a qwink.
  public static func thread(_ id: Qwink.ID) -> Request {
    Request("download of a thread", .get, "\(RequestPath.status(id))/context", decode: WireDecoder.thread)
  }
}

extension Request where Answer == [QwinkVersion] {
  /// The edit history of a qwink, oldest first.
  public static func versions(_ id: Qwink.ID) -> Request {
    Request("download of an edit history", .get, "\(RequestPath.status(id))/history", decode: WireDecoder.versions)
  }
}

extension Request where Answer == QwinkSource {
  /// A qwink's text as its author typed it, for editing.
  public static func source(_ id: Qwink.ID) -> Request {
    Request("download of a source", .get, "\(RequestPath.status(id))/source", decode: WireDecoder.source)
  }
}

extension Reaction {
  /// The last path component that turns it on.
  fileprivate var verb: String {
    switch self {
    case .boost: "reblog"
    case .favourite: "favourite"
    case .bookmark: "bookmark"
    }
  }
}
