import HTTPTypes
public import QwinkleModel
import QwinkleWire

/// Who is signed in, and who may read what they write by default.
public struct OwnAccount: Sendable {
  public var qwinker: Qwinker
  /// Nil if the server doesn't say.
  public var usualVisibility: Visibility?
}

extension Request where Answer == ServerInfo {
  /// What the server is and can do. Servers without the second version of this call are asked for the first.
  public static var serverInfo: Request {
    var request = Request("connecting", .get, "/api/v2/instance", decode: WireDecoder.serverInfo)
    request.fallback = {
      $0.mayBeOfUnknownCall ? Request("connecting", .get, "/api/v1/instance", decode: WireDecoder.serverInfo) : nil
    }
    return request
  }
}

extension Request where Answer == OwnAccount {
  /// Who I am.
  public static var ownAccount: Request {
    Request("connecting", .get, "/api/v1/accounts/verify_credentials") { (body) throws(WireError) in
      OwnAccount(
        qwinker: try WireDecoder.qwinker(from: body),
        usualVisibility: try WireDecoder.ownProfile(from: body).usualVisibility)
    }
  }
}

extension Request where Answer == OwnProfile {
  /// What I say of myself, as I typed it.
  public static var ownProfile: Request {
    Request("download of a profile", .get, "/api/v1/accounts/verify_credentials", decode: WireDecoder.ownProfile)
  }
}

extension Request where Answer == Qwinker {
  /// Changes what I say of myself. The answer is me.
  public static func setOwnProfile(_ profile: OwnProfile) -> Request {
    Request(
      "changing a profile", .patch, "/api/v1/accounts/update_credentials", json: WireEncoder.ownProfile(profile),
      decode: WireDecoder.qwinker)
  }
}
