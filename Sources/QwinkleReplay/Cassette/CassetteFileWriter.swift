import Foundation
import Synchronization

/// A cassette on the disk while it is recorded. It can be read after each exchange, however the program ends.
public final class CassetteFileWriter: Sendable {
  /// What a recording begins with that has not come to its end. Its last entry may be cut.
  static let unfinished = #"{"log":{"_unfinished":true,"#

  private let file: GrowingFile
  private let head: [UInt8]
  private let progress = Mutex(Progress.empty)

  private enum Progress {
    case empty
    case hasEntries
    /// Whole: an exchange that ends later would only spoil it.
    case finished
  }

  /// Writes into `file`. A new one is a cassette without entries at once.
  public init(_ file: GrowingFile, isPrivate: Bool) {
    self.file = file
    let creator = Cassette.Creator()
    head = Array(
      (Self.unfinished + (isPrivate ? #""_private":true,"# : "")
        + #""creator":{"name":"\#(creator.name)","version":"\#(creator.version)"},"version":"1.2","entries":["#).utf8)
    if file.isNew { file.append([], tail: head + Self.end) }
  }

  /// Adds an exchange; none after ``finish(with:)``.
  func append(_ entry: Cassette.Entry) {
    guard let text = Self.text(entry) else { return }
    progress.withLock { progress in
      guard progress != .finished else { return }
      let isFirst = progress == .empty
      file.append((isFirst ? head : []) + Self.line(text, isFirst: isFirst), tail: Self.end)
      progress = .hasEntries
    }
  }

  /// Writes these in place of what was written: something in them may not be shown any more.
  func replace(with entries: [Cassette.Entry]) {
    let lines = entries.compactMap(Self.text).enumerated().flatMap { Self.line($1, isFirst: $0 == 0) }
    progress.withLock { progress in
      guard progress != .finished else { return }
      file.replace(head + lines, tail: Self.end)
      progress = lines.isEmpty ? .empty : .hasEntries
    }
  }

  /// Writes the whole cassette, in its order and to be read by people.
  ///
  /// - Throws: what ``Cassette/har()`` throws.
  public func finish(with cassette: Cassette) throws(CassetteError) {
    let har = try cassette.har()
    progress.withLock { progress in
      file.replace(har, tail: [])
      progress = .finished
    }
  }

  private static let end = Array("\n]}}\n".utf8)

  private static func line(_ entry: [UInt8], isFirst: Bool) -> [UInt8] {
    Array((isFirst ? "\n" : ",\n").utf8) + entry
  }

  /// Nil for what no JSON can hold: a time that is no number.
  private static func text(_ entry: Cassette.Entry) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(entry)).map(Array.init)
  }
}
