import HTTPTypes
public import QwinkleModel
import QwinkleWire

/// The signed-in account, and the default visibility of its posts.
public struct OwnAccount: Sendable {
  public var qwinker: Qwinker
  /// The default visibility of the account's posts, if the server reports it.
  public var usualVisibility: Visibility?
  /// The users who may quote the user's posts by default. Nil if the server doesn't report it.
  public var usualQuotePolicy: QuotePolicy?
}

extension Request where Answer == ServerInfo {
  /// The server's description. Falls back to the first version of this endpoint if the second is missing, or fails with
  /// 500 as in Takahe.
  public static var serverInfo: Request {
    var request = version(2)
    request.fallback = { error in
      if case .serverFailed(_, 500) = error { return version(1) }
      return error.mayBeOfUnknownCall ? version(1) : nil
    }
    return request
  }

  private static func version(_ version: Int) -> Request {
    var request = Request("connecting", .get, "/api/v\(version)/instance", decode: WireDecoder.serverInfo)
    request.withoutTokenHosts = {
      var info = $0
      info.streamingURL = nil
      return info
    }
    return request
  }
}

extension Request where Answer == OwnAccount {
  /// The signed-in account.
  public static var ownAccount: Request {
    Request("connecting", .get, "/api/v1/accounts/verify_credentials") { (body) throws(WireError) in
      let profile = try WireDecoder.ownProfile(from: body)
      return OwnAccount(
        qwinker: try WireDecoder.qwinker(from: body), usualVisibility: profile.usualVisibility,
        usualQuotePolicy: profile.usualQuotePolicy)
    }
  }
}

extension Request where Answer == OwnProfile {
  /// The user's profile as they typed it.
  public static var ownProfile: Request {
    Request("download of a profile", .get, "/api/v1/accounts/verify_credentials", decode: WireDecoder.ownProfile)
  }
}

extension Request where Answer == Qwinker {
  /// Changes the user's profile and returns their account. If `old` is given, sends only the values that differ from
  /// it.
  public static func setOwnProfile(_ profile: OwnProfile, changing old: OwnProfile? = nil) -> Request {
    Request(
      "saving the profile", .patch, "/api/v1/accounts/update_credentials",
      json: WireEncoder.ownProfile(profile, changing: old), decode: WireDecoder.qwinker)
  }

  /// Replaces a picture of the user's profile and returns their account. `boundary` is a random string that must not
  /// occur in the file.
  public static func setPicture(_ picture: OwnProfile.Picture, to file: Upload, boundary: String) -> Request {
    Request(
      "saving the \(picture.rawValue)", .patch, "/api/v1/accounts/update_credentials", decode: WireDecoder.qwinker
    ).uploading(file, as: picture.rawValue, boundary: boundary)
  }

  /// Removes a picture of the user's profile and returns their account.
  public static func removePicture(_ picture: OwnProfile.Picture) -> Request {
    Request(
      "removing the \(picture.rawValue)", .delete, "/api/v1/profile/\(picture.rawValue)", decode: WireDecoder.qwinker
    ).needing(.pictureRemoval)
  }
}
