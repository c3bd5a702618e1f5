/// How much room resources may take.
public struct ResourceLimits: Hashable, Sendable {
  /// Bytes on disk; what is in use may exceed it.
  public var onDisk: Int
  /// Bytes in use at a time.
  public var inUse: Int
  /// Bytes of one resource.
  public var single: Int
  /// Transfers from one server at a time.
  public var transfersPerServer: Int

  public init(onDisk: Int = 200 << 20, inUse: Int = 64 << 20, single: Int = 16 << 20, transfersPerServer: Int = 4) {
    self.onDisk = onDisk
    self.inUse = inUse
    self.single = single
    self.transfersPerServer = transfersPerServer
  }
}
