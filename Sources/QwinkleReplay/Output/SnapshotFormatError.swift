/// An invalid line in a snapshot file.
public struct SnapshotFormatError: Error, Hashable, Sendable {
  /// Line number, from 1.
  public let line: Int
  /// The reason in ``sentence``, without a full stop.
  public let reason: String

  public var sentence: String { "Line \(line): \(reason)." }
}
