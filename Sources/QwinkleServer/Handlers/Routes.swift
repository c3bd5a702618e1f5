/// Everything that the service answers. Of two routes that match, the one written first answers.
enum Routes {
  static let all = [
    InstanceHandlers.routes,
    SignInHandlers.routes,
    AccountHandlers.routes,
    StatusHandlers.routes,
    ReactionHandlers.routes,
    ConversationHandlers.routes,
    NoticeHandlers.routes,
    MarkerHandlers.routes,
    TimelineHandlers.routes,
  ].flatMap(\.self)
}
