import CWidth

enum ScalarWidth {
  /// The columns that the terminal gives a scalar: 0 (drawn on the character before), 1 or 2; -1 for controls, for what
  /// the C library does not know, and for what stands for something else in ncurses.
  static func columns(of scalar: Unicode.Scalar, in form: TextForm) -> Int {
    StandIn.isOne(scalar) ? -1 : Int(qw_width(scalar.value, Int32(form.ambiguousColumns)))
  }
}
