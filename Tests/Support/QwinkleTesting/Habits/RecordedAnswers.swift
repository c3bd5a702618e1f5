import Foundation

/// What a real server answered: the files of a folder in `Tests/Fixtures`, or of recordings beside the repository that
/// may not be copied into it.
public struct RecordedAnswers: Sendable {
  /// An item of a list.
  public struct Item: Sendable {
    public let id: String
    /// Its JSON.
    public let body: [UInt8]

    /// An object with an id.
    init?(_ object: [String: Any]) {
      guard let id = object["id"] as? String, let data = try? JSONSerialization.data(withJSONObject: object) else {
        return nil
      }
      self.id = id
      body = Array(data)
    }

    /// The same with other values for some members.
    public func with(_ members: [String: any Sendable]) -> Item {
      guard var object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return self }
      for (name, value) in members { object[name] = value }
      return Item(object) ?? self
    }

    /// The item that a member is, such as the original of a boost; nil if there is none.
    public func item(_ name: String) -> Item? {
      let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      return (object?[name] as? [String: Any]).flatMap(Item.init)
    }

    /// The same with another item for a member.
    public func with(_ name: String, _ item: Item) -> Item {
      guard var object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return self }
      object[name] = try? JSONSerialization.jsonObject(with: Data(item.body))
      return Item(object) ?? self
    }
  }

  private let folder: URL

  /// The answers of `server`: the name of the folder. Prints a message if there are none here.
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

  /// One answer, by the name of its file; empty if there is none.
  public func body(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: folder.appending(path: "\(name).json"))).map(Array.init) ?? []
  }

  /// The items of a list.
  public func items(_ name: String) -> [Item] {
    let list = try? JSONSerialization.jsonObject(with: Data(body(name))) as? [[String: Any]]
    return (list ?? []).compactMap(Item.init)
  }

  /// One answer as an item; nil if it is none.
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
