/// All routes of the service. If several match, the first one wins, so fixed paths come before those with placeholders.
enum Routes {
  static let all = [
    InstanceHandlers.routes,
    SignInHandlers.routes,
    PeopleHandlers.routes,
    FollowRequestHandlers.routes,
    BlockHandlers.routes,
    ProfileHandlers.routes,
    AccountHandlers.routes,
    StatusHandlers.routes,
    ReactionHandlers.routes,
    ConversationHandlers.routes,
    NotificationHandlers.routes,
    MarkerHandlers.routes,
    TimelineHandlers.routes,
    TagHandlers.routes,
    SearchHandlers.routes,
    StreamHandlers.routes,
    AbsentHandlers.routes,
    PageHandlers.routes,
  ].flatMap(\.self)
}
