import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Lists of accounts, and their timelines.
enum ListHandlers {
  static let routes = [
    Route(.get, "/api/v1/lists", .required) { _, transaction in
      ServiceResponse(WireEncoder.lists, try transaction.lists())
    },
    Route(.post, "/api/v1/lists", .required) { request, transaction in
      ServiceResponse(WireEncoder.list, try transaction.addList(changed(PersonalList(id: "", title: ""), by: request)))
    },
    Route(.get, "/api/v1/lists/:id", .required) { request, transaction in
      ServiceResponse(WireEncoder.list, try transaction.list(request.id))
    },
    Route(.put, "/api/v1/lists/:id", .required) { request, transaction in
      let list = try changed(transaction.list(request.id), by: request)
      try transaction.updateList(list)
      return ServiceResponse(WireEncoder.list, list)
    },
    Route(.delete, "/api/v1/lists/:id", .required) { request, transaction in
      try transaction.deleteList(request.id)
      return .done
    },
    Route(.get, "/api/v1/lists/:id/accounts", .required) { request, transaction in
      let list = try transaction.list(request.id)
      let page = try transaction.members(of: list, PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(WireEncoder.qwinkers, page.items, link: page.link.header(for: request))
    },
    Route(.post, "/api/v1/lists/:id/accounts", .required) { try setMembers($0, $1, to: true) },
    Route(.delete, "/api/v1/lists/:id/accounts", .required) { try setMembers($0, $1, to: false) },
    Route(.get, "/api/v1/accounts/:id/lists", .required) { request, transaction in
      ServiceResponse(WireEncoder.lists, try transaction.lists(with: request.requiredID()))
    },
    Route(.get, "/api/v1/timelines/list/:id", .required) { request, transaction in
      try TimelineHandlers.answer(.list(transaction.list(request.id)), request, transaction)
    },
  ]

  private static let mostTitleCharacters = 100

  /// Returns `list` with the request's changes.
  private static func changed(_ list: PersonalList, by request: ServiceRequest) throws -> PersonalList {
    let sent = try request.parameters().refuseOthers(than: ["title", "replies_policy", "exclusive"])
    var list = list
    if let title = try sent.text("title") { list.title = SafeText.line(title).trimmed() }
    guard !isBlank(list.title), list.title.count <= mostTitleCharacters, list.title.utf8.count <= 1000 else {
      throw Refusal.invalid("title must have 1 to \(mostTitleCharacters) characters.")
    }
    list.replies = try sent.choice("replies_policy") ?? list.replies
    list.isExclusive = try sent.flag("exclusive") ?? list.isExclusive
    return list
  }

  private static func setMembers(
    _ request: ServiceRequest, _ transaction: Transaction, to areIn: Bool
  ) throws -> ServiceResponse {
    let list = try transaction.list(request.id)
    let sent = try request.parameters().refuseOthers(than: ["account_ids"])
    try transaction.setMembers(sent.ids("account_ids"), of: list, to: areIn)
    return .done
  }
}
