/// A value in a TOML text.
enum TOMLValue {
  case string(String)
  case integer(Int)
  case float(Double)
  case boolean(Bool)
  case dateTime(TOMLDateTime)
  case array(TOMLArray)
  case table(TOMLTable)
}

/// The elements of an array, or the tables of a list with `[[headers]]`.
///
/// A class, so that a list grows in place. Copying it for every header would take quadratic time.
final class TOMLArray {
  var values: [TOMLValue]
  /// The last table of a list with `[[headers]]`. Nil for an array in brackets, which can't be extended.
  var lastTable: TOMLTable?

  init(_ values: [TOMLValue]) {
    self.values = values
  }
}
