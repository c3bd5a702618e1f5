import CWidth

enum ScalarWidth {
  /// The columns that the terminal gives a scalar: 0 (drawn on the character before), 1 or 2; -1 for controls and for
  /// what the C library does not know.
  static func columns(of scalar: Unicode.Scalar, in form: TextForm) -> Int {
    Int(qw_width(scalar.value, Int32(form.ambiguousColumns)))
  }
}
