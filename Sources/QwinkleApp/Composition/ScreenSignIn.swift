import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore

/// Signs in from the screen, as `qwinkle login` does from the shell.
@MainActor
final class ScreenSignIn: SignInSteps {
  private let desk: AccountManager
  private let opener: any URLOpener
  private var address: ServerAddress?
  private var signIn: SignIn?
  private var redirect: LoopbackRedirect?

  init(desk: AccountManager, opener: any URLOpener) {
    self.desk = desk
    self.opener = opener
  }

  func begin(at server: String) async throws(SignInTrouble) -> SignInPage {
    end()
    do {
      let address = try ServerAddress(signingIn: server)
      self.address = address
      let aside = try desk.prepare(keepsToken: true)
      let signIn = desk.signIn(at: address)
      self.signIn = signIn
      let info = try await signIn.serverInfo()
      let redirect = SystemBrowser.isHere() ? await LoopbackRedirect.open() : nil
      self.redirect = redirect
      let hasAccountThere = try desk.hasAccount(at: address)
      let page = try await signIn.begin(asksAgain: hasAccountThere, redirect: redirect?.uri)
      let warnings = [aside.map(desk.wordsAboutDamage), address.warningAboutToken].compactMap(\.self)
      return SignInPage(
        address: page, isOpen: redirect != nil && opener.opens(page),
        server: info.flatMap(address.words), warning: warnings.isEmpty ? nil : warnings.joined(separator: " "))
    } catch {
      end()
      throw trouble(error)
    }
  }

  func redirected() async -> String? { await redirect?.address() }

  func finish(code: String) async throws(SignInTrouble) -> SignedInAccount {
    guard let address, let signIn else { throw SignInTrouble(SignInError.otherSignIn.sentence) }
    do {
      let outcome = try await signIn.finish(code: code)
      let saved = try await desk.keep(outcome, at: address, in: .keyringOrFile, signIn: signIn)
      end()
      return SignedInAccount(name: saved.account.name, remark: saved.complaint)
    } catch {
      throw trouble(error)
    }
  }

  func end() {
    guard let redirect else { return }
    self.redirect = nil
    Task { await redirect.close() }
  }

  private func trouble(_ error: any Error) -> SignInTrouble {
    let isAboutCode = (error as? SignInError)?.isAboutCode ?? false
    return SignInTrouble(AppError(address?.explained(error) ?? error).sentence, isAboutCode: isAboutCode)
  }
}
