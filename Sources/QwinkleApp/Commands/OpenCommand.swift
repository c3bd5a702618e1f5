import ArgumentParser
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire

/// `qwinkle open ID`: opens a qwink's page or a link in it, or plays its video or sound.
struct OpenCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a post in the browser, or one of its links.",
    discussion: """
      The browser is $BROWSER, or the system's. With --play, plays the post's first video or sound in the program \
      that the option player names, else in the viewer or the browser.
      """)

  @OptionGroup var subject: QwinkArgument

  @Option(help: ArgumentHelp("Open the link with this number in the text, from 1.", valueName: "number"))
  var link: Int?

  @Flag(help: "Play the post's first video or sound.")
  var play = false

  @Flag(name: .customLong("print"), help: "Print the address instead of opening it.")
  var prints = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice) { session, server, _ in
      let qwink = try await subject.find(on: server)
      let text = try address(in: qwink)
      guard let address = WebAddress(text) else { throw AppError.failed("Not a web address: \(text)") }
      guard !prints else { return StandardOutput.print(text, wraps: false) }
      if play, MediaRules(serverURL: server.serverURL).refusal(of: address.target, isByKey: true) != nil {
        throw AppError.failed("\(LinkWords.notPlayed) Address: \(text)")
      }
      let browser = browser(for: session.accountFolder)
      var failure: String?
      browser.playInTerminal = {
        failure = OutsidePlayer.playAndWait($0, by: $1)
        return true
      }
      do throws(URLOpenerError) {
        try browser.open(address, in: play ? .player : .browser)
      } catch {
        failure = error.sentence
      }
      if let failure { throw AppError.failed("\(failure) Address: \(text)") }
      StandardOutput.print("Opened: \(text)")
    }
  }

  func validate() throws {
    if play, link != nil { throw ValidationError("Use --link or --play, not both.") }
  }

  @MainActor
  private func browser(for account: String) -> SystemBrowser {
    func value(_ key: ConfigKey) -> String { UserConfig.value(of: key, for: account).text }
    let browser = SystemBrowser(chosen: value(.browser))
    browser.viewer = value(.viewer)
    browser.player = value(.player)
    return browser
  }

  private func address(in qwink: Qwink) throws(AppError) -> String {
    if play {
      guard let url = qwink.attachments.lazy.filter(\.isPlayed).compactMap(\.url).first else {
        throw .failed("This post has no video or sound.")
      }
      return url
    }
    guard let link else {
      guard let url = qwink.url else { throw .failed("This post has no address on the web.") }
      return url
    }
    let links = qwink.text.links
    guard links.indices.contains(link - 1) else {
      throw .failed(
        links.isEmpty ? "This post has no links." : "No link \(link): this post has \(links.count), from 1.")
    }
    return links[link - 1]
  }
}
