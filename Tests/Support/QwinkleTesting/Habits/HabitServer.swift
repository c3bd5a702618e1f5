import Foundation

/// Servers on loopback with the habits of real ones, and their recorded answers: a file for each.
public enum HabitServer {
  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// `body` where the recorded server names itself, with the name by which `request` knows it.
  static func renamed(_ body: [UInt8], from name: String, for request: ScriptedServer.Request) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
    return bytes(text.replacing(name, with: request.field("Host") ?? name))
  }
}

extension ScriptedServer.Request {
  /// Its path without the query.
  public var place: String { String(path.prefix { $0 != "?" }) }

  /// The first value of a parameter of its query, as it was sent.
  public func parameter(_ name: String) -> String? {
    path.dropFirst(place.count + 1).split(separator: "&").first { $0.hasPrefix("\(name)=") }
      .map { String($0.dropFirst(name.count + 1)) }
  }

  /// A member of its JSON body.
  public func member(_ name: String) -> Any? {
    (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?[name]
  }

  /// The items below its `max_id`, at most so many.
  public func page(of items: [RecordedAnswers.Item], most: Int) -> [RecordedAnswers.Item] {
    let last = parameter("max_id").map { $0.removingPercentEncoding ?? $0 }
    let start = last.flatMap { last in items.firstIndex { $0.id == last } }.map { $0 + 1 }
    return Array(items.dropFirst(start ?? (last == nil ? 0 : items.count)).prefix(most))
  }
}
