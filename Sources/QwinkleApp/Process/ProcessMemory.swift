import CProcess

/// The program's own memory.
public enum ProcessMemory {
  /// Has large blocks, such as a picture's file, go back to the system once they are freed. Call it before there are
  /// threads.
  public static func returnLargeBlocks() { qw_return_large_blocks() }
}
