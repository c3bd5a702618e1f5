import QwinkleWire

extension RequestParameters {
  /// Returns the parameter as an id of this service, or nil if the parameter wasn't sent or is empty.
  ///
  /// - Throws: ``ParameterFault`` if it isn't a valid id.
  func id(_ name: String) throws(ParameterFault) -> Int64? {
    guard let text = try identifier(name) else { return nil }
    guard let id = Int64(text), id >= 0 else { throw fault(name, "is not a valid ID") }
    return id
  }

  /// Returns the parameter as a list of distinct ids of this service. The list is empty if the parameter wasn't sent.
  ///
  /// - Throws: ``ParameterFault`` if an element isn't a valid id.
  func ids(_ name: String) throws(ParameterFault) -> [Int64] {
    var ids: [Int64] = []
    for text in try texts(name) ?? [] {
      guard let id = Int64(text), id >= 0 else { throw fault(name, "must be a list of valid IDs") }
      ids.append(id)
    }
    return ids.uniqued()
  }
}

/// Flag values for ``RequestParameters/refuseOthers(than:unless:)``. The service accepts an unsupported flag if the
/// value describes what the service does anyway.
enum FlagWords {
  static let yes: Set<String> = ["true", "t", "1", "on", "yes"]
  static let no: Set<String> = ["false", "f", "0", "off", "no"]
}
