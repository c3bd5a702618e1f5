/// Responses of Pleroma and Akkoma, according to their documentation:
/// <https://docs.pleroma.social/backend/development/API/differences_in_mastoapi_responses/>,
/// <https://docs.akkoma.dev/stable/development/API/differences_in_mastoapi_responses/>.
extension HabitServer {
  /// Responds as an older server, which has only the first version of the instance API and no grouped notifications.
  public static func pleroma(_ request: ScriptedServer.Request) -> Script {
    switch (request.method, request.place) {
    case ("GET", "/api/v1/instance"): return .json(bytes(pleromaInstance(request.field("Host") ?? "")))
    case ("GET", "/api/v1/accounts/verify_credentials"): return .json(bytes(pleromaAccount("lain", id: lain)))
    case ("GET", "/api/v1/timelines/home"):
      // Its ids are longer than Mastodon's and not numeric.
      guard request.parameter("max_id") == nil else { return .json(bytes("[\(pleromaStatus("AhOlderFlakeIdAaaa"))]")) }
      let host = request.field("Host") ?? ""
      let way = "<http://\(host)/api/v1/timelines/home?limit=40&max_id=\(pleromaHome[3].id)>; rel=\"next\""
      let page = pleromaHome.map(\.json).joined(separator: ",")
      return .json(bytes("[\(page)]"), fields: [("Link", way)])
    case ("GET", "/api/v1/notifications"): return .json(bytes("[\(pleromaNotifications.joined(separator: ","))]"))
    case ("GET", "/api/v1/conversations"):
      let message = pleromaStatus("AiMessageFlakeIdAa", visibility: "direct")
      let account = pleromaAccount("alice", id: "9hmxhmxhmxhm0pBLCl")
      return .json(
        bytes(
          #"[{"id":"12","unread":true,"accounts":[\#(account)],"last_status":\#(message),"#
            + #""pleroma":{"recipients":[\#(account)]}},{"id":"11","unread":false,"accounts":[],"last_status":null}]"#))
    case ("POST", "/api/v1/statuses"):
      return .json(bytes(#"{"error":"Cannot post an empty status without attachments"}"#), status: 422)
    default: return .json(bytes(#"{"error":"Not implemented"}"#), status: 404)
    }
  }

  private static let lain = "9hmxhmxhmxhm0pBLCk"

  /// A home timeline: a public post with all of Pleroma's extensions, a local post, a boost, and a quote in Akkoma's
  /// format.
  public static var pleromaHome: [(id: String, json: String)] {
    let quoted = pleromaStatus("AiQuotedFlakeIdAaa", content: "Tea is a drink.")
    let boost = pleromaStatus(
      "AiBoostFlakeIdAaaa", content: "", more: #""reblog":\#(pleromaStatus("AiBoostedFlakeIdA", by: "alice"))"#)
    return [
      ("AiStatusFlakeIdAaa", pleromaStatus("AiStatusFlakeIdAaa")),
      ("AiLocalFlakeIdAaaa", pleromaStatus("AiLocalFlakeIdAaaa", visibility: "local")),
      ("AiBoostFlakeIdAaaa", boost),
      (
        "AiQuoteFlakeIdAaaa",
        pleromaStatus("AiQuoteFlakeIdAaaa", more: #""quote_id":"AiQuotedFlakeIdAaa","quote":\#(quoted)"#)
      ),
    ]
  }

  /// Notifications, including Pleroma's own types.
  private static var pleromaNotifications: [String] {
    func notification(_ id: Int, _ type: String, _ more: String) -> String {
      let account = pleromaAccount("alice", id: "9hmxhmxhmxhm0pBLCl")
      return #"{"id":"\#(id)","type":"\#(type)","created_at":"2026-11-20T10:00:00.000Z","account":\#(account),"#
        + #""pleroma":{"is_seen":false,"is_muted":false}\#(more)}"#
    }
    let status = #","status":\#(pleromaStatus("AiStatusFlakeIdAaa"))"#
    return [
      notification(6, "pleroma:emoji_reaction", #","emoji":"☕","emoji_url":null"# + status),
      notification(5, "move", #","target":\#(pleromaAccount("alice2", id: "9hmxhmxhmxhm0pBLCm"))"#),
      notification(4, "pleroma:report", #","report":{"id":"7","actor":{},"statuses":[]}"#),
      notification(3, "pleroma:chat_mention", #","chat_message":{"id":"9","content":"Hi","chat_id":"3"}"#),
      notification(2, "favourite", status), notification(1, "follow", ""),
    ]
  }

  private static func pleromaAccount(_ name: String, id: String) -> String {
    """
    {"id":"\(id)","username":"\(name)","acct":"\(name)","fqn":"\(name)@pl.example","display_name":"\(name)",\
    "note":"Layer<br/>12","url":"https://pl.example/users/\(name)","avatar":"https://pl.example/images/avi.png",\
    "avatar_static":"https://pl.example/images/avi.png","header":"","header_static":"","locked":false,"bot":false,\
    "created_at":"2024-01-02T03:04:05.000Z","last_status_at":"2026-11-20T10:00:00","followers_count":1,\
    "following_count":2,"statuses_count":3,"emojis":[],"fields":[],"follow_requests_count":0,\
    "source":{"fields":[],"note":"Layer\\n12","privacy":"unlisted","sensitive":false,\
    "pleroma":{"actor_type":"Person","discoverable":true,"no_rich_text":false,"show_role":true}},\
    "pleroma":{"ap_id":"https://pl.example/users/\(name)","background_image":null,"favicon":null,"is_admin":false,\
    "is_moderator":false,"tags":[],"relationship":{},"skip_thread_containment":false},\
    "akkoma":{"instance":{"name":"pl.example","nodeinfo":{}},"status_ttl_days":null}}
    """
  }

  /// Returns the JSON of a status with Pleroma's extensions and the additional members `more`.
  public static func pleromaStatus(
    _ id: String, by name: String = "lain", content: String = "Tea?<br/><br/>Now &amp; <b>hot</b>",
    visibility: String = "public", more: String = #""reblog":null"#
  ) -> String {
    """
    {"id":"\(id)","uri":"https://pl.example/objects/\(id)","url":"https://pl.example/notice/\(id)",\
    "account":\(pleromaAccount(name, id: name == "lain" ? lain : "9hmxhmxhmxhm0pBLCl")),"content":"\(content)",\
    "created_at":"2026-11-20T10:00:00.000Z","edited_at":null,"visibility":"\(visibility)","sensitive":false,\
    "spoiler_text":"","media_attachments":[{"id":"-1205","type":"image","url":"https://pl.example/media/1.png",\
    "preview_url":"https://pl.example/media/1.png","remote_url":"https://pl.example/media/1.png","text_url":null,\
    "description":"","pleroma":{"mime_type":"image/png"}}],"mentions":[],"tags":[],"emojis":[],"application":null,\
    "card":null,"poll":null,"language":null,"in_reply_to_id":null,"in_reply_to_account_id":null,"bookmarked":false,\
    "favourited":false,"favourites_count":0,"muted":false,"pinned":false,"reblogged":false,"reblogs_count":0,\
    "replies_count":0,"emoji_reactions":[{"count":1,"me":false,"name":"☕","url":null}],\
    "pleroma":{"content":{"text/plain":"Tea?\\n\\nNow & hot"},"context":"https://pl.example/contexts/1",\
    "conversation_id":1,"direct_conversation_id":null,"emoji_reactions":[{"count":1,"me":false,"name":"☕"}],\
    "expires_at":null,"in_reply_to_account_acct":null,"local":true,"parent_visible":false,"pinned_at":null,\
    "quote":null,"quote_url":null,"quote_visible":false,"spoiler_text":{"text/plain":""},"thread_muted":false},\
    "akkoma":{"source":{"content":"Tea?","mediaType":"text/plain"}},\(more)}
    """
  }

  /// The `uri` is a URL, and the limits have Pleroma's names.
  private static func pleromaInstance(_ host: String) -> String {
    """
    {"uri":"https://pl.example","title":"Layers","description":"A tea house","short_description":"",\
    "version":"2.7.2 (compatible; Pleroma 2.4.5)","email":"lain@pl.example","languages":["en"],\
    "registrations":true,"approval_required":false,"thumbnail":"https://pl.example/instance/thumbnail.jpeg",\
    "urls":{"streaming_api":"wss://\(host)"},"stats":{"domain_count":1,"status_count":2,"user_count":3},\
    "max_toot_chars":5000,"description_limit":5000,"upload_limit":16000000,"avatar_upload_limit":2000000,\
    "background_image":"https://pl.example/images/city.jpg","chat_limit":5000,"shout_limit":5000,\
    "poll_limits":{"max_expiration":31536000,"max_option_chars":200,"max_options":20,"min_expiration":0},\
    "pleroma":{"metadata":{"features":["pleroma_api"],"federation":{"enabled":true},"fields_limits":{"max_fields":10},\
    "post_formats":["text/plain","text/html","text/markdown"]},"stats":{"mau":1},"vapid_public_key":"BA"}}
    """
  }
}
