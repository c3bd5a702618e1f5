import Foundation
public import QwinkleModel

/// Private messages that are not known to have arrived, in a file of their own, oldest first: they outlive the program,
/// however it ends. Several programs of one account share it, each with messages of its own.
public struct OutgoingFile: Sendable {
  private let file: KeptFile

  /// The messages in `directory`, which is made when there is something to keep.
  public init(directory: String) {
    file = KeptFile(directory: directory, name: "messages.json")
  }

  /// What was kept; nothing where it cannot be read. A message that cannot be read costs itself.
  public func load() -> [OutgoingMessage] {
    file.contents.flatMap(Self.decoded) ?? []
  }

  /// Keeps `messages` in place of `known`, which were the messages when that was done last. What another program keeps
  /// stays, and what it took out since does not come back.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``. What was kept before is still there.
  public func save(_ messages: [OutgoingMessage], replacing known: [OutgoingMessage] = []) throws(StoreError) {
    if messages.isEmpty, known.isEmpty || !file.exists { return }
    try file.whileLocked { file in
      guard let data = try file.read() else {
        return try write(Self.merged(messages, replacing: known, into: []), to: file)
      }
      guard let kept = Self.decoded(data) else {
        // Nobody took anything out of what cannot be read.
        try file.setAside()
        return try write(messages, to: file)
      }
      try write(Self.merged(messages, replacing: known, into: kept), to: file)
    }
  }

  private static func merged(
    _ messages: [OutgoingMessage], replacing known: [OutgoingMessage], into kept: [OutgoingMessage]
  ) -> [OutgoingMessage] {
    let mine = Dictionary(messages.map { ($0.id, $0) }) { $1 }
    let before = Dictionary(known.map { ($0.id, $0) }) { $1 }
    var result = kept.compactMap { message in
      guard let new = mine[message.id] else { return before[message.id] == nil ? message : nil }
      return new == before[message.id] ? message : new
    }
    let there = Set(kept.map(\.id))
    result += messages.filter { !there.contains($0.id) && before[$0.id] == nil }
    return result
  }

  private func write(_ messages: [OutgoingMessage], to file: KeptFile.Held) throws {
    if messages.isEmpty { return try file.remove() }
    try file.write(JSONEncoder().encode(messages))
  }

  /// A message that cannot be read costs itself.
  private struct Lossy: Decodable {
    let message: OutgoingMessage?

    init(from decoder: any Decoder) throws {
      message = try? OutgoingMessage(from: decoder)
    }
  }

  /// Nil for what is no file of messages.
  private static func decoded(_ data: Data) -> [OutgoingMessage]? {
    (try? JSONDecoder().decode([Lossy].self, from: data))?.compactMap(\.message)
  }
}
