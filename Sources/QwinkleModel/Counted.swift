/// Formats numbers.
public enum Counted {
  /// Returns a count with its noun, such as `1 follower` or `1,204 followers`. The default plural is `noun` and an s.
  public static func words(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns a number of bytes such as `312 KB`, `1.5 MB` or `10 GB`, rounded down. A KB has 1,024 bytes.
  public static func bytes(_ count: Int) -> String {
    var (unit, name) = (1, "B")
    for larger in ["KB", "MB", "GB", "TB"] where count / unit >= 1024 { (unit, name) = (unit << 10, larger) }
    let (whole, tenth) = (count / unit, count % unit * 10 / unit)
    return whole < 10 && tenth > 0 ? "\(whole).\(tenth) \(name)" : "\(whole) \(name)"
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
