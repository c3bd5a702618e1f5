import Foundation

/// Scripts that mimic real server software with recorded responses. Each server has its own file.
public enum HabitServer {
  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Returns `body` with the recorded server's name replaced by the host in `request`.
  static func renamed(_ body: [UInt8], from name: String, for request: ScriptedServer.Request) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
    return bytes(text.replacing(name, with: request.field("Host") ?? name))
  }
}

extension ScriptedServer.Request {
  /// The path without the query.
  public var place: String { String(path.prefix { $0 != "?" }) }

  /// Returns the first value of a query parameter, still percent-encoded.
  public func parameter(_ name: String) -> String? {
    path.dropFirst(place.count + 1).split(separator: "&").first { $0.hasPrefix("\(name)=") }
      .map { String($0.dropFirst(name.count + 1)) }
  }

  /// Returns a member of the JSON body.
  public func member(_ name: String) -> Any? {
    (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?[name]
  }

  /// Returns at most `most` items below `max_id`.
  public func page(of items: [RecordedAnswers.Item], most: Int) -> [RecordedAnswers.Item] {
    let last = parameter("max_id").map { $0.removingPercentEncoding ?? $0 }
    let start = last.flatMap { last in items.firstIndex { $0.id == last } }.map { $0 + 1 }
    return Array(items.dropFirst(start ?? (last == nil ? 0 : items.count)).prefix(most))
  }
}
