import Foundation

/// Recorded responses of a real server, from a folder in `Tests/Fixtures`. Recordings that may not be copied into the
/// repository are read from a folder next to it.
public struct RecordedAnswers: Sendable {
  /// An item of a list.
  public struct Item: Sendable {
    public let id: String
    /// The item's JSON.
    public let body: [UInt8]

    /// Returns nil if the object has no id.
    init?(_ object: [String: Any]) {
      guard let id = object["id"] as? String, let data = try? JSONSerialization.data(withJSONObject: object) else {
        return nil
      }
      self.id = id
      body = Array(data)
    }

    /// Returns the item with other values for some members.
    public func with(_ members: [String: any Sendable]) -> Item {
      guard var object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return self }
      for (name, value) in members { object[name] = value }
      return Item(object) ?? self
    }

    /// Returns the item in a member, such as a boost's original, if any.
    public func item(_ name: String) -> Item? {
      let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      return (object?[name] as? [String: Any]).flatMap(Item.init)
    }

    /// Returns the item with another item as a member.
    public func with(_ name: String, _ item: Item) -> Item {
      guard var object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return self }
      object[name] = try? JSONSerialization.jsonObject(with: Data(item.body))
      return Item(object) ?? self
    }
  }

  private let folder: URL

  /// Uses the recordings in the folder `server`. Prints a message if the folder doesn't exist.
  public init(of server: String) {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let fixtures = root.appending(path: "Tests/Fixtures/\(server)")
    let others = root.deletingLastPathComponent().appending(path: "shared/corpus/\(server)")
    folder = FileManager.default.fileExists(atPath: fixtures.path) ? fixtures : others
    if !isHere { print("skipped: no recordings of \(server)") }
  }

  /// Whether there are recordings.
  public var isHere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// Returns the response in a file, or an empty array if there is no such file.
  public func body(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: folder.appending(path: "\(name).json"))).map(Array.init) ?? []
  }

  /// Returns the items of a recorded list.
  public func items(_ name: String) -> [Item] {
    let list = try? JSONSerialization.jsonObject(with: Data(body(name))) as? [[String: Any]]
    return (list ?? []).compactMap(Item.init)
  }

  /// Returns a recorded object, or nil if it has no id.
  public func item(_ name: String) -> Item? {
    (try? JSONSerialization.jsonObject(with: Data(body(name))) as? [String: Any]).flatMap(Item.init)
  }
}

extension Sequence<RecordedAnswers.Item> {
  /// The items as a JSON list.
  public var list: [UInt8] {
    Array("[".utf8) + Array(map(\.body).joined(separator: Array(",".utf8))) + Array("]".utf8)
  }
}
