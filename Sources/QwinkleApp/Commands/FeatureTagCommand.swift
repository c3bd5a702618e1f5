import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire

/// `qwinkle feature-tag TAG`
struct FeatureTagCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "feature-tag", abstract: "Show a hashtag on your profile.")

  @Argument(help: "The hashtag, with or without #.", completion: KnownCompletions.hashtags)
  var tag: String

  @OptionGroup var undo: UndoOption

  @Flag(help: "Print your featured hashtags as API entities.")
  var json = false

  @OptionGroup var options: ServerOptions

  private var name: String { String(tag.drop { $0 == "#" }) }

  func validate() throws {
    guard TimelineName(word: "#\(name)") == nil else { return }
    throw ValidationError("“\(tag)” is not a hashtag.")
  }

  func start() throws {
    let isOn = !undo.undo
    CommandRunner.run(options.choice, needingAccountFor: "Featured hashtags") { server, _ in
      let isChanged = try await server.featureTag(name, isOn: isOn)
      if json {
        return StandardOutput.print(json: try await server.answer(to: Request.ownFeaturedTags.sourced).json)
      }
      StandardOutput.print(FeaturedTagWords.result(name, isOn: isOn, isChanged: isChanged))
    }
  }
}
