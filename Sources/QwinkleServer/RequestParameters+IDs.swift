import QwinkleWire

extension RequestParameters {
  /// An id of this service's; nil if none was sent.
  func id(_ name: String) throws(ParameterFault) -> Int64? {
    guard let text = try identifier(name) else { return nil }
    guard let id = Int64(text), id >= 0 else { throw fault(name, "is not a valid ID") }
    return id
  }
}

/// Words for flags that say what is so anyway (see ``RequestParameters/refuseOthers(than:unless:)``).
enum FlagWords {
  static let yes: Set<String> = ["true", "t", "1", "on", "yes"]
  static let no: Set<String> = ["false", "f", "0", "off", "no"]
}
