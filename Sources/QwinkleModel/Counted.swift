/// Formats numbers.
public enum Counted {
  /// Returns a count with its noun, such as `1 follower` or `1,204 followers`. The default plural is `noun` and an s.
  public static func words(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns a number with its digits in groups of three, such as `1,204`.
  public static func grouped(_ count: Int) -> String {
    var digits = String(count.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.append(digits.suffix(3))
      digits.removeLast(3)
    }
    return (count < 0 ? "-" : "") + ([Substring(digits)] + groups.reversed()).joined(separator: ",")
  }
}
