extension TapeCommandReader {
  /// Maximum time, in days.
  private static let mostDays = 366

  /// Reads a time: a number with the unit `ms`, `s`, `m`, `h` or `d`. A number without a unit is in seconds. VHS has no
  /// `h` and `d`.
  mutating func takeTime(_ expected: String) throws(TapeError) -> Duration {
    let next = try moveToPiece(expected)
    let mark = scanner.mark
    guard TapeScanner.isDigit(next) || next == "." else {
      throw error(at: mark, "\(TapeError.quoted(scanner.takeBare())) is not a time. \(expected)")
    }
    let number = scanner.takeNumber()
    let end = scanner.mark
    var unit = scanner.takeWord()
    if unit.isEmpty {
      // Blanks may precede the unit.
      scanner.skipBlanks()
      unit = scanner.takeWord()
      if Self.nanoseconds(in: unit) == nil {
        scanner.goBack(to: end)
        unit = "s"
      }
    }
    guard let length = Self.nanoseconds(in: unit), let nanoseconds = Self.nanoseconds(number, length) else {
      throw error(at: mark, "\(TapeError.quoted(scanner.text(from: mark))) is not a time. \(expected)")
    }
    guard nanoseconds <= Int64(Self.mostDays) * 86_400_000_000_000 else {
      throw error(at: mark, "\(TapeError.quoted(scanner.text(from: mark))) is more than \(Self.mostDays) days.")
    }
    return .nanoseconds(nanoseconds)
  }

  private static func nanoseconds(in unit: String) -> Int64? {
    switch unit {
    case "ms": 1_000_000
    case "s": 1_000_000_000
    case "m": 60_000_000_000
    case "h": 3_600_000_000_000
    case "d": 86_400_000_000_000
    default: nil
    }
  }

  /// Returns the decimal `number` multiplied by `unit`, in nanoseconds. Returns nil if `number` is invalid, and
  /// Int64.max if the product is too large. Fractions of a nanosecond are dropped.
  private static func nanoseconds(_ number: String, _ unit: Int64) -> Int64? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else { return nil }
    var total: Int64 = 0
    for digit in parts[0].utf8 {
      let (tens, isLarge) = total.multipliedReportingOverflow(by: 10)
      if isLarge { return .max }
      total = tens + min(Int64(digit) - 0x30, .max - tens)
    }
    let (whole, isLarge) = total.multipliedReportingOverflow(by: unit)
    if isLarge { return .max }
    var fraction: Int64 = 0
    var part = unit
    for digit in parts.count == 2 ? Array(parts[1].utf8) : [] {
      part /= 10
      fraction += (Int64(digit) - 0x30) * part
    }
    return whole > .max - fraction ? .max : whole + fraction
  }
}
