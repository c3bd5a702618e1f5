/// Why a file is not a valid snapshot.
public struct SnapshotFormatError: Error, Hashable, Sendable {
  /// From 1.
  public let line: Int
  /// What is wrong there, without a full stop.
  public let reason: String

  public var sentence: String { "Line \(line): \(reason)." }
}
