#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many columns the C library, and with it ncurses, gives a scalar. The headers hide this function from Swift.
@_silgen_name("wcwidth")
private func wcwidth(_ character: CInt) -> CInt

enum ScalarWidth {
  /// 0 (drawn on the character before), 1 or 2; -1 for controls and what the system does not know.
  static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 ? -1 : 1 }
    let width = Int(wcwidth(CInt(bitPattern: value)))
    if width >= 0 || value < 0xA0 { return width }
    // In a locale without Unicode nothing beyond ASCII has a width.
    guard hasToChooseLocale() else { return width }
    return Int(wcwidth(CInt(bitPattern: value)))
  }

  /// Makes sure that the C library counts in Unicode; true where it had to be told.
  private static func hasToChooseLocale() -> Bool {
    guard wcwidth(0x4E2D) != 2 else { return false }
    return setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "en_US.UTF-8") != nil
  }
}
