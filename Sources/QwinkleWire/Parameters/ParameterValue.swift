/// A value in a request, from its query, a form or JSON.
public indirect enum ParameterValue: Hashable, Sendable {
  case null
  case flag(Bool)
  /// A JSON number as text.
  case number(String)
  case text(String)
  case list([ParameterValue])
  case members([String: ParameterValue])
  case file(FormParts.Part)

  /// Whether the value is null or an empty text, or contains only such values. Clients use them for fields that aren't
  /// set, because a form also sends its empty fields.
  public var isBlank: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty
    case .list(let items): items.allSatisfy(\.isBlank)
    case .members(let members): members.values.allSatisfy(\.isBlank)
    case .flag, .number, .file: false
    }
  }

  /// The text, number or flag as text, or nil for other values.
  public var asText: String? {
    switch self {
    case .text(let text), .number(let text): text
    case .flag(let isOn): isOn ? "true" : "false"
    case .null, .list, .members, .file: nil
    }
  }
}

// MARK: - JSON

extension ParameterValue: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(String(number))
    } else if let isOn = try? container.decode(Bool.self) {
      self = .flag(isOn)
    } else if let items = try? container.decode([ParameterValue].self) {
      self = .list(items)
    } else if let members = try? container.decode([String: ParameterValue].self) {
      self = .members(members)
    } else {
      self = .number("\(try container.decode(Double.self))")
    }
  }
}

// MARK: - Forms

extension ParameterValue {
  /// Returns `old`, the previous value of a parameter, with this value added at `path`. The path contains the strings
  /// in brackets after the parameter's name, with an empty string for `[]`. Returns nil if the path doesn't fit the
  /// previous value, for example because the value is a text and the path names a member.
  func added(at path: ArraySlice<String>, to old: ParameterValue?) -> ParameterValue? {
    guard let key = path.first else { return old.map { $0.adding(self) } ?? self }
    let rest = path.dropFirst()
    if !key.isEmpty {
      guard case .members(var members) = old ?? .members([:]) else { return nil }
      guard let value = added(at: rest, to: members[key]) else { return nil }
      members[key] = value
      return .members(members)
    }
    var items: [ParameterValue]
    switch old {
    case nil: items = []
    case .members?: return nil
    case .list(let before)?: items = before
    case let single?: items = [single]
    }
    // `a[][b]`: start a new item if the last one already has a `b`.
    if let member = rest.first, case .members(let members)? = items.last,
      members[member] == nil || rest.dropFirst().contains("")
    {
      guard let grown = added(at: rest, to: items.removeLast()) else { return nil }
      items.append(grown)
    } else {
      guard let first = added(at: rest, to: nil) else { return nil }
      items.append(first)
    }
    return .list(items)
  }

  /// Returns a list of the current values and `value`, or nil if the current value is an object.
  private func adding(_ value: ParameterValue) -> ParameterValue? {
    switch self {
    case .members: nil
    case .list(let items): .list(items + [value])
    default: .list([self, value])
    }
  }
}
