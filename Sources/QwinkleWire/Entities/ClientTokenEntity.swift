import QwinkleModel
import SafeText

/// An issued token, as a server of the shared timeline lists it: `{"id", "app", "scopes", "created_at"}`.
enum ClientTokenEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> ClientToken {
    ClientToken(
      id: ClientToken.ID(SafeText.line(try fields.required(fields.identifier("id"), "id"))),
      app: SafeText.line(fields.text("app")), scopes: SafeText.line(fields.text("scopes")),
      createdAt: fields.date("created_at"))
  }
}
