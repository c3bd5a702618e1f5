import Foundation

/// The objects in the recorded responses of third-party servers. An object's kind is recognized by its members.
struct CorpusObjects: Sendable {
  static let servers = ["gotosocial", "snac", "mastodon"]

  private(set) var statuses: [[UInt8]] = []
  private(set) var accounts: [[UInt8]] = []
  private(set) var conversations: [[UInt8]] = []
  private(set) var notifications: [[UInt8]] = []
  private var seen: Set<[UInt8]> = []

  // Reading the recordings takes a second for each server.
  private static let all = Dictionary(
    uniqueKeysWithValues: servers.map { server in (server, Result { try CorpusObjects(reading: server) }) })

  /// Returns the objects of `server`, or nil if its recordings are missing, as Mastodon's may be.
  static func of(_ server: String) throws -> CorpusObjects? { try all[server]?.get() }

  private init?(reading server: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folders = [
      root.appending(path: "Tests/Fixtures/\(server)"),
      root.deletingLastPathComponent().appending(path: "shared/corpus/\(server)"),
    ]
    let files = FileManager.default
    guard let folder = folders.first(where: { files.fileExists(atPath: $0.path) }) else {
      print("skipped: no recordings of \(server)")
      return nil
    }
    for name in try files.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".json") && !name.hasPrefix("_") {
      let data = try Data(contentsOf: folder.appending(path: name))
      // Recorded errors may be HTML.
      guard let value = try? JSONSerialization.jsonObject(with: data) else { continue }
      try add(value)
    }
  }

  private mutating func add(_ value: Any) throws {
    if let list = value as? [Any] {
      for item in list { try add(item) }
    }
    guard let object = value as? [String: Any] else { return }
    let json = Array(try JSONSerialization.data(withJSONObject: object, options: .sortedKeys))
    guard seen.insert(json).inserted else { return }
    func has(_ keys: String...) -> Bool { keys.allSatisfy { object[$0] != nil && !(object[$0] is NSNull) } }
    if has("id", "account", "content", "visibility") { statuses.append(json) }
    if has("id", "acct", "username") { accounts.append(json) }
    if has("id", "accounts", "unread") { conversations.append(json) }
    if has("id", "type", "account", "created_at") { notifications.append(json) }
    for key in object.keys.sorted() {
      if let member = object[key] { try add(member) }
    }
  }
}
