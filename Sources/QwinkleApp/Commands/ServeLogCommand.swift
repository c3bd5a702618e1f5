import ArgumentParser
import Foundation
import QwinkleServer
import QwinkleWire
import Timekeeping

/// `qwinkle serve log`: lists the actions of operators.
struct ServedLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List the operators' actions, newest first: time, operator, action, object, reason.",
    discussion: """
      The operator of a command is the process's real user. For root, SUDO_UID is added: a hint, not proof, because \
      root can change it. The log has the entries of a year, at most 100,000 of each operator. Reading is not logged, \
      nor are actions that change nothing.
      """)

  @Option(
    help: ArgumentHelp("Only entries from this time on: 2026-11-22, 2026-11-22T09:30, 2h, 3d.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("Only entries by or about this user.", valueName: "name"))
  var user: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var location: ServiceLocation

  func validate() throws { _ = try earliest() }

  func run() throws {
    try location.using { service in
      let entries = try service.auditLog(since: earliest(), user: user)
      if json { return StandardOutput.print(json: PlainDraft.encoded(entries.map { EntryJSON($0) })) }
      for entry in entries { StandardOutput.print(Self.row(entry), wraps: false) }
      if entries.isEmpty { StandardOutput.remark(onEmptyList: "No entries.") }
    }
  }

  private func earliest() throws -> Date? { try TimeOptions.time("--since", since, SystemClock()) }

  private static func row(_ entry: AuditEntry) -> String {
    let subject = [entry.account.map { "@\($0)" }, entry.object].compactMap(\.self).joined(separator: " ")
    let facts = [
      entry.createdAt.formatted(.iso8601),
      entry.actor.uid.map { "\(entry.actor.words) (uid \($0))" }
        ?? "@\(entry.actor.name)",
      entry.action, subject, entry.reason,
    ]
    return facts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// An entry of the audit log as JSON.
private struct EntryJSON: Encodable {
  struct Actor: Encodable {
    var name: String
    var uid: Int?
    var sudo_uid: Int?
    var sudo_name: String?
  }

  var id: String
  var created_at: String
  var actor: Actor
  var action: String
  var account: String?
  var object: String?
  var reason: String

  init(_ entry: AuditEntry) {
    (id, action, account, object) = (entry.id, entry.action, entry.account, entry.object)
    created_at = WireDate.text(entry.createdAt, in: .gmt)
    actor = Actor(
      name: entry.actor.name, uid: entry.actor.uid, sudo_uid: entry.actor.sudo?.uid, sudo_name: entry.actor.sudo?.name)
    reason = entry.reason
  }
}
