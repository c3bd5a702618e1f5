import ArgumentParser
import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle filtered [USER]`: prints or answers the requests of senders whose notifications were filtered.
struct FilteredCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "filtered",
    abstract: "Print the users whose notifications were filtered, or the notifications of one of them.",
    discussion: """
      --accept lists their notifications, now and later. --dismiss deletes the filtered ones, and doesn't ask first. \
      qwinkle notification-policy decides what is filtered.
      """)

  @Argument(help: "The user whose notifications to print, filtered ones included.", completion: KnownCompletions.users)
  var user: String?

  @Option(
    help: ArgumentHelp("Accept the notifications of a user; can be repeated.", valueName: "user"),
    completion: KnownCompletions.users)
  var accept: [String] = []

  @Option(
    help: ArgumentHelp("Dismiss the filtered notifications of a user; can be repeated.", valueName: "user"),
    completion: KnownCompletions.users)
  var dismiss: [String] = []

  @OptionGroup var list: ListOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  private var isChange: Bool { !accept.isEmpty || !dismiss.isEmpty }

  func validate() throws {
    for name in accept + dismiss + (user.map { [$0] } ?? []) { try QwinkerArgument.check(name) }
    if isChange, user != nil || list.json {
      throw ValidationError("--accept and --dismiss print no notifications: leave out USER and --json.")
    }
  }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Reading notifications", isPaged: true) { server, clock in
      if isChange { return try await change(on: server) }
      let style = PlainStyle(clock, reveals: reveal.reveal)
      if let user { return try await printNotifications(of: user, server, style) }
      let entries = try await Self.requests.entries(list.limit, from: server).map { Self.shown($0, at: style.now) }
      if list.json {
        return StandardOutput.print(json: SentJSON.array(entries, encoding: WireEncoder.notificationRequests))
      }
      for entry in entries { StandardOutput.print(PlainNotificationRequest.text(entry.item, style)) }
      if entries.isEmpty { StandardOutput.remark(onEmptyList: "No filtered notifications.") }
    }
  }

  private static var requests: PagedList<NotificationRequest> {
    PagedList(first: { .notificationRequests(limit: $0) }, page: { .notificationRequestsPage($0) }, id: { $0.id })
  }

  /// Returns the request without its last post if a filter hides the post.
  private static func shown(_ entry: SentItem<NotificationRequest>, at now: Date) -> SentItem<NotificationRequest> {
    guard let last = entry.item.lastQwink, Disclosure(of: last, in: .notifications, at: now).isHidden else {
      return entry
    }
    var entry = entry
    entry.item.lastQwink = nil
    if !entry.source.isEmpty {
      entry.source = JSONParts.object(entry.source, setting: [("last_status", Array("null".utf8))])
    }
    return entry
  }

  @MainActor
  private func printNotifications(
    of user: String, _ server: AccountConnection, _ style: PlainStyle
  ) async throws {
    let qwinker = try await QwinkerArgument.qwinker(user, from: server)
    let notifications = PagedList<AccountNotification>(
      first: { .notifications(of: qwinker.id, limit: $0) }, page: { .notificationsPage($0) }, id: { $0.id },
      isShown: { notification in
        let isHidden = notification.qwink.map { Disclosure(of: $0, in: .notifications, at: style.now).isHidden }
        return isHidden != true && notification.qwinker.id == qwinker.id
      })
    let me = list.json ? nil : try? await server.answer(to: .ownAccount).qwinker.id
    try await list.print(
      notifications, from: server, none: "No notifications of @\(qwinker.handle).", json: WireEncoder.notifications
    ) {
      PlainNotification.text($0, me: me, style)
    }
  }

  @MainActor
  private func change(on server: AccountConnection) async throws {
    for (names, accepts) in [(accept, true), (dismiss, false)] {
      for name in names {
        let qwinker = try await QwinkerArgument.qwinker(name, from: server)
        // Requests are few: servers count at most 100.
        let request = try await Self.requests.items(400, from: server).first { $0.qwinker.id == qwinker.id }
        guard let request else { throw AppError.failed("No filtered notifications of @\(qwinker.handle).") }
        try await server.answer(to: .answerNotificationRequest(request.id, accepts: accepts))
        StandardOutput.print(FilteredWords.answered(qwinker, accepted: accepts) + ".")
      }
    }
  }
}

/// Formats notification requests as plain text.
enum PlainNotificationRequest {
  static func text(_ request: NotificationRequest, _ style: PlainStyle) -> String {
    let name = NameAndHandle.text(of: request.qwinker, columns: style.columns)
    let count = FilteredWords.notifications(request.notificationsCount)
    var lines = ["\(name)  \(count)  \(style.time(request.updatedAt))"]
    if let last = request.lastQwink {
      lines.append(
        PlainQwink.body(of: last, in: .notifications, style).filter { !$0.isEmpty }.joined(separator: "\n")
          .indented(by: 2))
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }
}

/// `qwinkle notification-policy`
struct NotificationPolicyCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "notification-policy",
    abstract: "Print which notifications you accept, filter or drop, or change it.",
    discussion: "qwinkle filtered prints filtered notifications. Dropped ones are lost.")

  private static let groups = NotificationPolicy.Group.allCases.map(\.rawValue)

  @Option(
    help: ArgumentHelp(
      "Change a rule; can be repeated. Rules: \(Self.groups.joined(separator: ", ")). Values: accept, filter, drop.",
      valueName: "rule=value"),
    completion: .list(groups.flatMap { group in NotificationPolicy.Treatment.choices.map { "\(group)=\($0.name)" } }))
  var set: [String] = []

  @Flag(help: "Print the policy as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws { _ = try changes() }

  private func changes() throws -> [NotificationPolicy.Group: NotificationPolicy.Treatment] {
    var changes: [NotificationPolicy.Group: NotificationPolicy.Treatment] = [:]
    for text in set {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let group = NotificationPolicy.Group(rawValue: parts[0]) else {
        throw ValidationError("--set needs a rule and a value, such as private-mentions=filter, not “\(text)”.")
      }
      let treatment = NotificationPolicy.Treatment(parts[1])
      guard NotificationPolicy.Treatment.choices.contains(treatment) else {
        throw ValidationError("A rule is \(FilteredWords.choices), not “\(parts[1])”.")
      }
      changes[group] = treatment
    }
    return changes
  }

  func start() throws {
    let changes = try changes()
    CommandRunner.run(options.choice, needingAccountFor: "Filtering notifications") { server, _ in
      let request: Request<NotificationPolicy> =
        changes.isEmpty ? .notificationPolicy : .changeNotificationPolicy(changes)
      let policy = try await server.answer(to: request.sourced)
      if json { return StandardOutput.print(json: policy.json) }
      StandardOutput.print(Self.text(policy.answer))
    }
  }

  private static func text(_ policy: NotificationPolicy) -> String {
    let width = groups.map(\.count).max() ?? 0
    let rules = policy.groups.map { group in
      let name = group.rawValue + String(repeating: " ", count: width - group.rawValue.count)
      return "\(name)  \(policy.treatments[group]?.name ?? "")  \(FilteredWords.subject(of: group))"
    }
    let count = policy.requestsCount
    let filtered = count == 0 ? [] : ["\(FilteredWords.requests(count)): qwinkle filtered"]
    return (rules + filtered).joined(separator: "\n") + "\n"
  }
}
