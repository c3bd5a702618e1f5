/// Limits on resources, in bytes unless stated otherwise.
public struct ResourceLimits: Hashable, Sendable {
  /// Total of all resources on disk. The total can exceed this limit, because resources in use are never purged.
  public var onDisk: Int
  /// Total of all resources in use.
  public var inUse: Int
  /// Maximum size of one resource.
  public var single: Int
  /// Maximum number of concurrent transfers per server.
  public var transfersPerServer: Int
  /// Free space on the disk below which resources that aren't in use are purged.
  public var freeSpace: Int

  public init(
    onDisk: Int = 200 << 20, inUse: Int = 64 << 20, single: Int = 16 << 20, transfersPerServer: Int = 4,
    freeSpace: Int = 50 << 20
  ) {
    self.onDisk = onDisk
    self.inUse = inUse
    self.single = single
    self.transfersPerServer = transfersPerServer
    self.freeSpace = freeSpace
  }
}
