import CProcess

/// Memory settings of the process.
public enum ProcessMemory {
  /// Configures the allocator to return large blocks of memory, such as the bytes of a picture file, to the system when
  /// they are freed. Call it before starting threads.
  public static func returnLargeBlocks() { qw_return_large_blocks() }

  /// Returns freed memory to the system, for example before the process is suspended. Otherwise the allocator keeps it
  /// for later use.
  static func returnFreedMemory() { qw_return_freed_memory() }
}
