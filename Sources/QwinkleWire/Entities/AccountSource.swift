public import QwinkleModel

/// The `source` of a CredentialAccount: the user's profile as plain text, and their posting defaults.
/// <https://docs.joinmastodon.org/entities/Account/#source>
public struct AccountSource: Hashable, Sendable {
  /// A profile field in plain text.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Plain text.
  public var note: String
  /// Default visibility of posts.
  public var visibility: Visibility
  public var isSensitive: Bool
  public var language: String?
  public var fields: [Field]
  public var followRequestsCount: Int
  /// The users who may quote new posts by default.
  public var quotePolicy: QuotePolicy?
  /// The user's role on the server.
  public var role: AccountRole?

  public init(
    note: String, visibility: Visibility = .public, isSensitive: Bool = false, language: String? = nil,
    fields: [Field] = [], followRequestsCount: Int = 0
  ) {
    self.note = note
    self.visibility = visibility
    self.isSensitive = isSensitive
    self.language = language
    self.fields = fields
    self.followRequestsCount = followRequestsCount
  }
}

/// The `role` of a CredentialAccount. <https://docs.joinmastodon.org/entities/Role/>
public struct AccountRole: Hashable, Sendable {
  public var id: String
  /// Empty for ordinary users.
  public var name: String
  /// A bit mask as a decimal number.
  public var permissions: String

  public init(id: String, name: String, permissions: String) {
    self.id = id
    self.name = name
    self.permissions = permissions
  }
}

extension JSONWriter {
  /// Writes the member `role`.
  public mutating func field(_ role: AccountRole) {
    field("role") { writer in
      writer.field("id", role.id)
      writer.field("name", role.name)
      writer.field("permissions", role.permissions)
      writer.field("color", "")
      writer.field("highlighted", false)
    }
  }
}
