public import FoundationEssentials

/// A token that a server has issued to a client of the user. The value itself isn't included.
public struct ClientToken: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<ClientToken>

  public var id: ID
  /// The name of the client.
  public var app: String
  /// Scopes separated by spaces.
  public var scopes: String
  public var createdAt: Date?

  public init(id: ID, app: String, scopes: String, createdAt: Date? = nil) {
    self.id = id
    self.app = app
    self.scopes = scopes
    self.createdAt = createdAt
  }
}
