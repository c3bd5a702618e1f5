import Foundation
import Synchronization

/// Writes a cassette to disk during a recording. The file is readable after each exchange, even if the program crashes.
public final class CassetteFileWriter: Sendable {
  /// The bytes at the start of an unfinished recording. The last entry of such a file may be cut off.
  static let unfinished = #"{"log":{"_unfinished":true,"#

  private let file: GrowingFile
  private let head: [UInt8]
  private let progress = Mutex(Progress.empty)

  private enum Progress {
    case empty
    case hasEntries
    /// The file is complete. Exchanges that end later are dropped.
    case finished
  }

  /// Creates a writer for `file`. If the file is new, immediately writes an empty cassette. Otherwise the file's old
  /// content remains until the first exchange is written.
  public init(_ file: GrowingFile, isPrivate: Bool) {
    self.file = file
    let creator = Cassette.Creator()
    head = Array(
      (Self.unfinished + (isPrivate ? #""_private":true,"# : "")
        + #""creator":{"name":"\#(creator.name)","version":"\#(creator.version)"},"version":"1.2","entries":["#).utf8)
    if file.isNew { file.append([], tail: head + Self.end) }
  }

  /// Appends an exchange. Does nothing after ``finish(with:)``.
  func append(_ entry: Cassette.Entry) {
    guard let text = Self.text(entry) else { return }
    progress.withLock { progress in
      guard progress != .finished else { return }
      let isFirst = progress == .empty
      file.append((isFirst ? head : []) + Self.line(text, isFirst: isFirst), tail: Self.end)
      progress = .hasEntries
    }
  }

  /// Replaces all entries written so far, because they may contain a secret that was recognised later.
  func replace(with entries: [Cassette.Entry]) {
    let lines = entries.compactMap(Self.text).enumerated().flatMap { Self.line($1, isFirst: $0 == 0) }
    progress.withLock { progress in
      guard progress != .finished else { return }
      file.replace(head + lines, tail: Self.end)
      progress = lines.isEmpty ? .empty : .hasEntries
    }
  }

  /// Finishes the recording and replaces the file's content with `cassette`, indented for human readers.
  ///
  /// - Throws: The errors that ``Cassette/har()`` throws.
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

  /// Returns the entry as JSON. Returns nil if the entry's time is NaN or infinite, because JSON has no such numbers.
  private static func text(_ entry: Cassette.Entry) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(entry)).map(Array.init)
  }
}
