/// What each route may reveal of restricted content. A route that is missing here fails `PrivacyTests`.
enum PrivacyRule {
  /// It is about one thing in the path: everybody outside its audience gets 404, or 401 to sign in.
  case hidden
  /// It lists things, restricted ones only to their audience.
  case filtered
  /// It shows nothing restricted to anybody.
  case blank
  /// The walk over all routes leaves it out, for this reason.
  case apart(String)

  static let table: [String: PrivacyRule] = [
    "GET /health": .blank,
    "GET /api/v1/instance": .blank,
    "GET /api/v2/instance": .blank,
    "GET /api/v1/custom_emojis": .blank,
    "GET /api/v1/preferences": .blank,

    "POST /api/v1/apps": .blank,
    "GET /api/v1/apps/verify_credentials": .blank,
    "GET /.well-known/oauth-authorization-server": .blank,
    "GET /oauth/authorize": .blank,
    "POST /oauth/authorize": .blank,
    "POST /oauth/token": .blank,
    "POST /oauth/revoke": .blank,

    "GET /api/v1/accounts/verify_credentials": .blank,
    "GET /api/v1/accounts/lookup": .blank,
    "GET /api/v1/accounts": .blank,
    "GET /api/v1/accounts/:id": .blank,
    "GET /api/v1/accounts/:id/statuses": .filtered,

    "POST /api/v1/statuses": .blank,
    "GET /api/v1/statuses": .filtered,
    "GET /api/v1/statuses/:id": .hidden,
    "PUT /api/v1/statuses/:id": .hidden,
    "DELETE /api/v1/statuses/:id": .hidden,
    "GET /api/v1/statuses/:id/context": .hidden,
    "GET /api/v1/statuses/:id/history": .hidden,
    "GET /api/v1/statuses/:id/source": .hidden,
    "POST /api/v1/statuses/:id/reblog": .hidden,
    "POST /api/v1/statuses/:id/unreblog": .hidden,
    "POST /api/v1/statuses/:id/favourite": .hidden,
    "POST /api/v1/statuses/:id/unfavourite": .hidden,
    "POST /api/v1/statuses/:id/bookmark": .hidden,
    "POST /api/v1/statuses/:id/unbookmark": .hidden,
    "GET /api/v1/statuses/:id/reblogged_by": .hidden,
    "GET /api/v1/statuses/:id/favourited_by": .hidden,
    "GET /api/v1/favourites": .filtered,
    "GET /api/v1/bookmarks": .filtered,

    "GET /api/v1/conversations": .filtered,
    "POST /api/v1/conversations/:id/read": .hidden,
    "DELETE /api/v1/conversations/:id": .hidden,

    "GET /api/v1/notifications": .filtered,
    "GET /api/v1/notifications/unread_count": .blank,
    "GET /api/v1/notifications/:id": .hidden,
    "POST /api/v1/notifications/clear": .blank,
    "POST /api/v1/notifications/:id/dismiss": .hidden,
    "POST /api/v1/notifications/dismiss": .blank,

    "GET /api/v1/markers": .filtered,
    "POST /api/v1/markers": .blank,

    "GET /api/v1/timelines/public": .filtered,
    "GET /api/v1/timelines/tag/:tag": .blank,
    "GET /api/v1/timelines/home": .filtered,
    "GET /api/v2/search": .filtered,

    // What they tell as it happens is in `StreamTests`.
    "GET /api/v1/streaming": .blank,
    "GET /api/v1/streaming/direct": .blank,
    "GET /api/v1/streaming/hashtag": .blank,
    "GET /api/v1/streaming/hashtag/local": .blank,
    "GET /api/v1/streaming/health": .blank,
    "GET /api/v1/streaming/public": .blank,
    "GET /api/v1/streaming/public/local": .blank,
    "GET /api/v1/streaming/user": .blank,
    "GET /api/v1/streaming/user/notification": .blank,

    "POST /api/v1/accounts/:id/follow": .apart("who follows may see more from then on"),
    "POST /api/v1/accounts/:id/remove_from_followers": .apart("who follows may see more from then on"),
    "POST /api/v1/accounts/:id/unfollow": .apart("who follows may see more from then on"),

    "POST /api/v1/accounts/:id/block": .apart("it ends follows; see VanishingTests"),
    "POST /api/v1/accounts/:id/unblock": .apart("it is about people alone; see VanishingTests"),
    "POST /api/v1/accounts/:id/mute": .apart("it is about people alone; see BlockTests"),
    "POST /api/v1/accounts/:id/unmute": .apart("it is about people alone; see BlockTests"),
    "POST /api/v1/accounts/:id/note": .apart("it is about people alone; see FollowRequestTests"),
    "POST /api/v1/follow_requests/:id/authorize": .apart("it is about people alone; see FollowRequestTests"),
    "POST /api/v1/follow_requests/:id/reject": .apart("it is about people alone; see FollowRequestTests"),
    "POST /api/v1/statuses/:id/mute": .hidden,
    "POST /api/v1/statuses/:id/unmute": .hidden,

    "GET /api/v1/accounts/:id/featured_tags": .blank,
    "GET /api/v1/accounts/:id/followers": .blank,
    "GET /api/v1/accounts/:id/following": .blank,
    "GET /api/v1/accounts/:id/lists": .blank,
    "GET /api/v1/accounts/relationships": .blank,
    "GET /api/v1/accounts/search": .blank,
    "GET /api/v1/announcements": .blank,
    "GET /api/v1/blocks": .blank,
    "GET /api/v1/domain_blocks": .blank,
    "GET /api/v1/endorsements": .blank,
    "GET /api/v1/featured_tags": .blank,
    "GET /api/v1/filters": .blank,
    "GET /api/v1/follow_requests": .blank,
    "GET /api/v1/followed_tags": .blank,
    "GET /api/v1/lists": .blank,
    "GET /api/v1/mutes": .blank,
    "GET /api/v1/scheduled_statuses": .blank,
    "GET /api/v1/suggestions": .blank,
    "GET /api/v1/tags/:name": .blank,
    "GET /api/v1/trends": .blank,
    "GET /api/v1/trends/links": .blank,
    "GET /api/v1/trends/statuses": .blank,
    "GET /api/v1/trends/tags": .blank,
    "GET /api/v2/filters": .blank,
    "GET /api/v2/suggestions": .blank,
    "PATCH /api/v1/accounts/update_credentials": .blank,

    "GET /": .blank,
    "GET /tags/:name": .blank,
    "GET /@:name": .blank,
    "GET /@:name/:id": .blank,
  ]
}
