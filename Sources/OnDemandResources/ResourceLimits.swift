/// Limits on resources, in bytes unless stated otherwise.
public struct ResourceLimits: Hashable, Sendable {
  /// Bytes on disk. Resources in use are never purged, so they can exceed this limit.
  public var onDisk: Int
  /// Total of all resources in use.
  public var inUse: Int
  /// Maximum size of one resource.
  public var single: Int
  /// Concurrent transfers per server.
  public var transfersPerServer: Int

  public init(onDisk: Int = 200 << 20, inUse: Int = 64 << 20, single: Int = 16 << 20, transfersPerServer: Int = 4) {
    self.onDisk = onDisk
    self.inUse = inUse
    self.single = single
    self.transfersPerServer = transfersPerServer
  }
}
