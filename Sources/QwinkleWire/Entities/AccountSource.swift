public import QwinkleModel

/// The `source` of a CredentialAccount: a profile as its owner typed it, and their settings.
/// <https://docs.joinmastodon.org/entities/Account/#source>
public struct AccountSource: Hashable, Sendable {
  /// A field of a profile, in plain text.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// In plain text.
  public var note: String
  /// The visibility of posts that don't say theirs.
  public var visibility: Visibility
  public var isSensitive: Bool
  public var language: String?
  public var fields: [Field]
  public var followRequestsCount: Int

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
