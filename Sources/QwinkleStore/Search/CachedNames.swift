import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// The handles and hashtags in an account's cache, for shell completion.
public struct CachedNames: Hashable, Sendable {
  /// Maximum number of rows read per table, so that completion stays fast.
  private static let most = 300

  /// Handles of authors, boosters and mentioned accounts, sorted: `alice`, `bob@far.example`.
  public private(set) var handles: [String] = []
  /// Hashtags, sorted. Each appears in only one spelling.
  public private(set) var tags: [String] = []

  public init() {}

  /// Reads the newest qwinks and messages in the cache in `directory`. Changes nothing there. The result is empty if
  /// the cache can't be read.
  public init(inCache directory: String) {
    guard CacheDatabase.exists(in: directory), let queue = try? CacheDatabase.openReader(directory: directory) else {
      self.init()
      return
    }
    defer { try? queue.close() }
    let sources = try? queue.read { database in
      try ["qwink", "message"].flatMap { table in
        try Data.fetchAll(
          database, sql: "SELECT source FROM \(table) ORDER BY rowid DESC LIMIT ?", arguments: [Self.most])
      }
    }
    self.init((sources ?? []).compactMap { try? WireDecoder.qwink(from: [UInt8]($0)) })
  }

  /// Collects the names in `qwinks`.
  init(_ qwinks: [Qwink]) {
    var handles: Set<String> = []
    var tags: [String: String] = [:]
    for qwink in qwinks {
      handles.insert(qwink.author.handle)
      if let booster = qwink.booster { handles.insert(booster.handle) }
      for mention in qwink.mentions { handles.insert(mention.handle) }
      for tag in qwink.tags where tags[tag.lowercased()] == nil { tags[tag.lowercased()] = tag }
    }
    self.handles = handles.filter { !$0.isEmpty }.sorted()
    self.tags = tags.values.sorted()
  }
}
