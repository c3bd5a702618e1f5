/// A value in a request, from its query, a form or JSON.
public indirect enum ParameterValue: Hashable, Sendable {
  case null
  case flag(Bool)
  /// A number in JSON, in digits.
  case number(String)
  case text(String)
  case list([ParameterValue])
  case members([String: ParameterValue])
  case file(FormParts.Part)

  /// Whether it asks for nothing: null, an empty text, or holding only such values. Forms send fields left empty.
  public var isBlank: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty
    case .list(let items): items.allSatisfy(\.isBlank)
    case .members(let members): members.values.allSatisfy(\.isBlank)
    case .flag, .number, .file: false
    }
  }

  /// A single value as text; nil for others.
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
  /// `old` with this value added below a name: `path` has what stands in brackets after the name, and an empty string
  /// for `[]`. Nil if the name was used in another way before.
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
    // `a[][b]`: a new item begins where the last one has a `b` already.
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

  /// A list of what came before and `value`; nil if there are members.
  private func adding(_ value: ParameterValue) -> ParameterValue? {
    switch self {
    case .members: nil
    case .list(let items): .list(items + [value])
    default: .list([self, value])
    }
  }
}
