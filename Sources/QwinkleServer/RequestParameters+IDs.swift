import QwinkleWire

extension RequestParameters {
  /// An id of this service's; nil if none was sent.
  func id(_ name: String) throws(ParameterFault) -> Int64? {
    guard let text = try identifier(name) else { return nil }
    guard let id = Int64(text), id >= 0 else { throw fault(name, "is not a valid ID") }
    return id
  }

  /// A list of ids of this service's, each once; empty if none was sent.
  func ids(_ name: String) throws(ParameterFault) -> [Int64] {
    var ids: [Int64] = []
    for text in try texts(name) ?? [] {
      guard let id = Int64(text), id >= 0 else { throw fault(name, "must be a list of valid IDs") }
      ids.append(id)
    }
    return ids.uniqued()
  }
}

/// Words for flags that say what is so anyway (see ``RequestParameters/refuseOthers(than:unless:)``).
enum FlagWords {
  static let yes: Set<String> = ["true", "t", "1", "on", "yes"]
  static let no: Set<String> = ["false", "f", "0", "off", "no"]
}
