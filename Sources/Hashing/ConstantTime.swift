import CSodium

/// Comparison of secrets.
public enum ConstantTime {
  /// Whether two secrets are equal. The time depends only on their lengths, not on their contents.
  public static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.count == second.count && qw_are_equal(first, second, first.count)
  }
}
