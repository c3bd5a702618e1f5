import ArgumentParser
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle whoami`
struct WhoAmICommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Print the account that commands use, as name@host.")

  @Flag(help: "Print the account as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "whoami") { session, server, _ in
      let account = try await server.answer(to: Request<OwnAccount>.ownAccount.sourced)
      if json { return StandardOutput.print(json: account.jsonWithoutSecrets) }
      let me = account.answer.qwinker
      guard !me.handle.contains("@") else { return StandardOutput.print(me.handle, wraps: false) }
      let own = session.shared == nil ? SessionChoice.local : SharedTimeline.hostName
      let host = session.shared == nil ? ServerAddress.name(in: server.serverURL) ?? own : own
      let domain = server.domain(of: try? await server.answer(to: .serverInfo))
      StandardOutput.print("\(me.handle)@\(domain ?? host)", wraps: false)
    }
  }
}

/// `qwinkle profile [USER]`
struct ProfileCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Print a user's profile, or yours.",
    discussion: """
      Options such as --name and --field change your own profile. The file “none” removes a picture; ./none is a file \
      of that name.
      """)

  @OptionGroup var subject: OptionalQwinkerArgument

  @OptionGroup var changes: ProfileOptions

  @Option(
    help: ArgumentHelp("Replace your avatar with a picture; none removes it.", valueName: "file"), completion: .file())
  var avatar: String?

  @Option(
    help: ArgumentHelp("Replace the header of your profile with a picture; none removes it.", valueName: "file"),
    completion: .file())
  var header: String?

  @Flag(help: "Print the account as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  private var isChange: Bool { changes.isChange || avatar != nil || header != nil }

  func validate() throws {
    guard isChange, subject.user != nil else { return }
    throw ValidationError("These options change your own profile: leave out the user.")
  }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: subject.needsAccount(for: "Your profile")) { server, clock in
      let qwinker = isChange ? try await change(on: server) : try await subject.find(on: server)
      if json { return StandardOutput.print(json: try await source(of: qwinker, on: server)) }
      let asksRelationship = server.isSignedIn && subject.user != nil
      let relationship = asksRelationship ? try? await server.answer(to: .relationship(qwinker.id)) : nil
      let tags = qwinker.isSuspended ? nil : try? await server.answer(to: .featuredTags(of: qwinker.id))
      StandardOutput.print(PlainQwinker.profile(qwinker, tags: tags ?? [], relationship, PlainStyle(clock)))
    }
  }

  /// Returns the account's JSON. Fetches the account again, since the response in which it was found may be a list.
  @MainActor
  private func source(of qwinker: Qwinker, on server: AccountConnection) async throws -> [UInt8] {
    guard subject.user != nil else {
      return try await server.answer(to: Request<OwnAccount>.ownAccount.sourced).jsonWithoutSecrets
    }
    let found = try? await server.answer(to: Request<Qwinker>.qwinker(qwinker.id).sourced)
    return found?.json ?? WireEncoder.qwinker(qwinker)
  }

  /// Changes the user's own profile as given on the command line, and returns the updated account.
  @MainActor
  private func change(on server: AccountConnection) async throws -> Qwinker {
    let limits = avatar == nil && header == nil ? nil : try? await server.answer(to: .serverInfo).limits.uploads
    var changed: Qwinker?
    for (picture, path) in [(OwnProfile.Picture.avatar, avatar), (.header, header)] {
      guard let path else { continue }
      guard path != OwnProfile.Picture.nothing else {
        changed = try await server.answer(to: .removePicture(picture))
        continue
      }
      changed = try await server.setPicture(picture, to: path, limits: limits)
    }
    if let changed, !changes.isChange { return changed }
    let old = try await server.answer(to: .ownProfile)
    var profile = old
    changes.apply(to: &profile)
    guard profile != old else { return try await server.answer(to: .ownAccount).qwinker }
    return try await server.answer(to: .setOwnProfile(profile, changing: old))
  }
}
