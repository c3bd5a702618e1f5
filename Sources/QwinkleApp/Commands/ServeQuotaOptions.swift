import ArgumentParser
import QwinkleModel
import QwinkleServer

/// The limits of `qwinkle serve` for each user.
struct ServeQuotaOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The most disk space for the pictures of an account.", valueName: "size"))
  var pictureQuota = ByteSize(ServiceQuotas().pictures)

  @Option(help: ArgumentHelp("The most disk space for the pictures of all accounts.", valueName: "size"))
  var picturesInAll = ByteSize(ServiceQuotas().picturesInAll)

  @Option(help: ArgumentHelp("The most disk space for the posts of an account, with their index.", valueName: "size"))
  var textQuota = ByteSize(ServiceQuotas().text)

  @Option(help: ArgumentHelp("The most posts of an account in a minute.", valueName: "count"))
  var postsAMinute = ServiceQuotas().postsAMinute

  @Option(help: ArgumentHelp("The most open connections of a user or a network address.", valueName: "count"))
  var connectionsAUser = ServiceQuotas().connectionsAUser

  private static let counts = 1...100_000

  var quotas: ServiceQuotas {
    var quotas = ServiceQuotas()
    quotas.pictures = pictureQuota.bytes
    quotas.picturesInAll = picturesInAll.bytes
    quotas.text = textQuota.bytes
    quotas.postsAMinute = postsAMinute
    quotas.connectionsAUser = connectionsAUser
    return quotas
  }

  func validate() throws {
    for (option, count) in [("--posts-a-minute", postsAMinute), ("--connections-a-user", connectionsAUser)]
    where !Self.counts.contains(count) {
      throw ValidationError("\(option) must be a number from 1 to \(Counted.grouped(Self.counts.upperBound)).")
    }
  }
}

/// A number of bytes as typed, such as `500MB` or `1.5 GB`. A KB has 1,024 bytes.
struct ByteSize: ExpressibleByArgument, Hashable {
  let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    let text = argument.uppercased().filter { $0 != " " }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let powers = ["": 0, "B": 0, "K": 1, "KB": 1, "M": 2, "MB": 2, "G": 3, "GB": 3, "T": 4, "TB": 4]
    guard let number = Double(digits), let power = powers[String(text.dropFirst(digits.count))] else { return nil }
    guard let bytes = Int(exactly: (number * Double(1 << (10 * power))).rounded()) else { return nil }
    self.bytes = bytes
  }

  var defaultValueDescription: String { Counted.bytes(bytes) }
}
