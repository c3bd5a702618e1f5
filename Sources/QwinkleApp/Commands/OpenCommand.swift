import ArgumentParser
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire

/// `qwinkle open ID`: opens a qwink's page, or a link in it.
struct OpenCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a qwink in the browser, or one of its links.",
    discussion: "The browser is $BROWSER, or the system's.")

  @OptionGroup var subject: QwinkArgument

  @Option(help: ArgumentHelp("Open the link with this number in the text, from 1.", valueName: "number"))
  var link: Int?

  @Flag(name: .customLong("print"), help: "Print the address instead of opening it.")
  var prints = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice) { session, server, _ in
      let qwink = try await subject.find(on: server)
      let text = try address(in: qwink)
      guard let address = WebAddress(text) else { throw AppError.failed("Not a web address: \(text)") }
      guard !prints else { return StandardOutput.print(text, wraps: false) }
      do throws(URLOpenerError) {
        let browser = UserConfig.value(of: .browser, for: session.accountFolder).text
        try SystemBrowser(chosen: browser).open(address, in: .browser)
      } catch {
        throw AppError.failed("\(error.sentence) Address: \(text)")
      }
      StandardOutput.print("Opened: \(text)")
    }
  }

  private func address(in qwink: Qwink) throws(AppError) -> String {
    guard let link else {
      guard let url = qwink.url else { throw .failed("This qwink has no address on the web.") }
      return url
    }
    let links = qwink.text.links
    guard links.indices.contains(link - 1) else {
      throw .failed(
        links.isEmpty ? "This qwink has no links." : "No link \(link): this qwink has \(links.count), from 1.")
    }
    return links[link - 1]
  }
}
