public import FoundationEssentials

extension RequestParameters {
  /// Whether a parameter was sent with a value.
  public func has(_ name: String) -> Bool { filled(name) != nil }

  /// Returns a text exactly as sent, or nil if the parameter is missing. Clients send an empty text to remove a text.
  public func text(_ name: String) throws(ParameterFault) -> String? {
    switch value(name) {
    case nil, .null?: return nil
    case .text(let text)?: return text
    default: throw fault(name, "must be one text")
    }
  }

  /// Returns an opaque ID. Some clients send it as a number.
  public func identifier(_ name: String) throws(ParameterFault) -> String? {
    switch filled(name) {
    case nil: return nil
    case .text(let text)?, .number(let text)?: return text
    default: throw fault(name, "must be one ID")
    }
  }

  /// Returns a Boolean, in the notation of JSON or forms.
  public func flag(_ name: String) throws(ParameterFault) -> Bool? {
    guard let value = filled(name) else { return nil }
    switch value.asText?.lowercased() {
    case "true"?, "t"?, "1"?, "on"?, "yes"?: return true
    case "false"?, "f"?, "0"?, "off"?, "no"?: return false
    default: throw fault(name, "must be true or false")
    }
  }

  /// Returns a whole number within `range`.
  public func integer(_ name: String, in range: ClosedRange<Int>) throws(ParameterFault) -> Int? {
    guard let value = filled(name) else { return nil }
    guard let number = value.asText.flatMap({ Int($0) }), range.contains(number) else {
      throw fault(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns an ISO 8601 date.
  public func date(_ name: String) throws(ParameterFault) -> Date? {
    guard let value = filled(name) else { return nil }
    guard case .text(let text) = value, let date = WireDate.date(text) else {
      throw fault(name, "must be a date such as 2031-01-31T18:00:00Z")
    }
    return date
  }

  /// Returns one of a type's cases.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, as type: Choice.Type = Choice.self
  ) throws(ParameterFault) -> Choice? where Choice.RawValue == String {
    guard let value = filled(name) else { return nil }
    guard case .text(let word) = value, let choice = Choice(rawValue: word) else {
      throw fault(name, "must be one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  /// Returns a set of a type's cases, or nil if the parameter is missing.
  public func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ name: String, as type: Choice.Type = Choice.self
  ) throws(ParameterFault) -> Set<Choice>? where Choice.RawValue == String {
    guard let words = try texts(name) else { return nil }
    var choices: Set<Choice> = []
    for word in words {
      guard let choice = Choice(rawValue: word) else {
        throw fault(name, "must be some of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      choices.insert(choice)
    }
    return choices
  }

  /// Returns a list of texts, or of numbers as texts. A single value is returned as a list. Omits empty texts, but not
  /// repeated texts: the caller either removes these or limits the number of texts. Returns nil if the parameter is
  /// missing.
  public func texts(_ name: String) throws(ParameterFault) -> [String]? {
    guard let value = value(name), value != .null else { return nil }
    guard case .list(let items) = value else {
      guard let text = value.asText else { throw fault(name, "must be a list") }
      return text.isEmpty ? [] : [text]
    }
    var texts: [String] = []
    for item in items where !item.isBlank {
      switch item {
      case .text(let text), .number(let text): texts.append(text)
      default: throw fault(name, "must be a list of texts")
      }
    }
    return texts
  }

  /// Returns the members of an object, or nil if the parameter is missing.
  public func object(_ name: String) throws(ParameterFault) -> RequestParameters? {
    guard let value = filled(name) else { return nil }
    guard case .members(let members) = value else { throw fault(name, "must be an object") }
    return RequestParameters(members, of: fullName(name))
  }

  /// Returns a list of objects, or nil if the parameter is missing. A form can number the objects: `name[0][member]`.
  public func objects(_ name: String) throws(ParameterFault) -> [RequestParameters]? {
    guard let value = value(name), value != .null else { return nil }
    let items: [ParameterValue]
    switch value {
    case .list(let found): items = found
    case .members(let members):
      guard members.keys.allSatisfy({ Int($0) != nil }) else { throw fault(name, "must be a list of objects") }
      items = members.sorted { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }.map(\.value)
    default:
      guard value.isBlank else { throw fault(name, "must be a list of objects") }
      return []
    }
    var objects: [RequestParameters] = []
    for item in items {
      guard case .members(let members) = item else { throw fault(name, "must be a list of objects") }
      objects.append(RequestParameters(members, of: fullName(name)))
    }
    return objects
  }

  /// Returns a file of a multipart form.
  public func file(_ name: String) throws(ParameterFault) -> FormParts.Part? {
    guard let value = filled(name) else { return nil }
    guard case .file(let part) = value else { throw fault(name, "must be a file in a multipart form") }
    return part
  }

  /// Returns these parameters. Throws if a parameter that is not in `known` has a value, so that no client assumes that
  /// the parameter took effect.
  ///
  /// - Parameter neutral: Values that ask for the default behaviour, by parameter name. A parameter that is not in
  ///   `known` is allowed to have one of them.
  @discardableResult
  public func refuseOthers(
    than known: Set<String>, unless neutral: [String: Set<String>] = [:]
  ) throws(ParameterFault) -> RequestParameters {
    for name in names where !known.contains(name) {
      guard let value = filled(name) else { continue }
      if let word = value.asText?.lowercased(), neutral[name]?.contains(word) == true { continue }
      throw ParameterFault("\(fullName(name)) is not supported here. Leave it out. Nothing was changed.")
    }
    return self
  }

  /// Returns a fault with the parameter's name and the requirement `words`.
  public func fault(_ name: String, _ words: String) -> ParameterFault {
    ParameterFault("\(fullName(name)) \(words).")
  }

  /// The value as text, if any. The last value if the parameter is a list.
  public subscript(name: String) -> String? {
    guard case .list(let items)? = value(name) else { return value(name)?.asText }
    return items.last?.asText
  }

  /// Returns all values as texts, without duplicates.
  public func list(_ name: String) -> [String] {
    guard case .list(let items)? = value(name) else { return value(name)?.asText.map { [$0] } ?? [] }
    return items.compactMap(\.asText).uniqued()
  }

  /// Returns a value unless it is blank.
  private func filled(_ name: String) -> ParameterValue? {
    value(name).flatMap { $0.isBlank ? nil : $0 }
  }
}
