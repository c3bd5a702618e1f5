import HTTPTypes
public import QwinkleModel
import QwinkleWire

// Qwinkle's own endpoints. A server has them only on the socket of a shared timeline.

extension Request where Answer == Secret {
  /// A new token of the user for another client. The server chooses parameters that are nil.
  public static func newToken(name: String?, scopes: String?) -> Request {
    Request(
      "making a token", .post, "/api/qwinkle/v1/tokens", json: WireEncoder.newToken(name: name, scopes: scopes),
      decode: WireDecoder.token)
  }
}

extension Request where Answer == [ClientToken] {
  /// The tokens that the server has issued to the user's clients.
  public static var clientTokens: Request {
    Request("download of tokens", .get, "/api/qwinkle/v1/tokens", decode: WireDecoder.clientTokens)
  }
}

extension Request where Answer == Void {
  /// Revokes a token, so that its client is signed out.
  public static func revokeToken(_ id: ClientToken.ID) -> Request {
    Request("revoking a token", .delete, "/api/qwinkle/v1/tokens/\(RequestPath.piece(id.rawValue))")
  }
}
