import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle tags`
struct TagsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(commandName: "tags", abstract: "Print the hashtags you follow.")

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Listing followed hashtags") { server, _ in
      let tags = PagedList<Tag>(first: { .followedTags(limit: $0) }, page: { .tagsPage($0) }, id: { $0.name })
      try await list.print(
        tags, from: server, none: "No followed hashtags.", json: { WireEncoder.tags($0, base: server.serverURL) }
      ) { "#\($0.name)" }
    }
  }
}

/// `qwinkle follow-tag NAME`
struct FollowTagCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow-tag", abstract: "Follow a hashtag: its posts appear in your home timeline.")

  @Argument(help: "The hashtag, with or without #.", completion: KnownCompletions.hashtags)
  var name: String

  @OptionGroup var undo: UndoOption

  @Flag(help: "Print the hashtag as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard TimelineName(word: "#\(bare)") == nil else { return }
    throw ValidationError("“\(name)” is not a hashtag.")
  }

  private var bare: String { name.hasPrefix("#") ? String(name.dropFirst()) : name }

  func start() throws {
    let isOn = !undo.undo
    CommandRunner.run(options.choice, needingAccountFor: "Following hashtags") { server, _ in
      let tag = try await server.answer(to: Request<Tag>.followTag(bare, isOn: isOn).sourced)
      if json { return StandardOutput.print(json: tag.json) }
      StandardOutput.print("\(isOn ? "Following" : "Unfollowed") #\(tag.answer.name)")
    }
  }
}
