import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// The names and hashtags in what an account keeps, for a shell to complete.
public struct KeptNames: Hashable, Sendable {
  /// More would take longer to read than one waits for a completion.
  private static let most = 300

  /// Handles of authors and of those they mention: `alice`, `bob@far.example`. Sorted.
  public private(set) var handles: [String] = []
  /// Hashtags, in one of their spellings. Sorted.
  public private(set) var tags: [String] = []

  /// None.
  public init() {}

  /// What the newest qwinks and messages in the cache in `directory` have. Nothing is made or changed there, and what
  /// can't be read has no names.
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

  /// Those of `qwinks`.
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
