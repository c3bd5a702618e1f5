import CWidth

enum ScalarWidth {
  /// Returns the number of columns that the terminal gives a scalar: 0 (drawn on the previous character), 1 or 2.
  /// Returns -1 for controls, for characters unknown to the C library, and for characters that ``Substitute`` reserves.
  static func columns(of scalar: Unicode.Scalar, in form: TextForm) -> Int {
    Substitute.isOne(scalar) ? -1 : Int(qw_width(scalar.value, Int32(form.ambiguousColumns)))
  }
}
