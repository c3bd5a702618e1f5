import CProcess

/// Memory settings of the process.
public enum ProcessMemory {
  /// Configures the allocator to return large blocks, such as a picture's file, to the system when they are freed. Call
  /// it before starting threads.
  public static func returnLargeBlocks() { qw_return_large_blocks() }
}
