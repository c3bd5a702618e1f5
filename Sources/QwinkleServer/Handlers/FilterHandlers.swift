import FoundationEssentials
import HTTPTypes
import QwinkleWire
import SafeText

/// The viewer's filters, in two versions of the API. In version 2, clients can edit filters, and the server returns a
/// status's matches in its `filtered`. Version 1, for older clients, is read-only and represents each keyword as a
/// filter.
enum FilterHandlers {
  static let routes = [
    Route(.get, "/api/v1/filters", .required) { _, transaction in
      answer(try transaction.filters().flatMap { filter in filter.keywords.map { OldFilterEntity($0, of: filter) } })
    },
    Route(.get, "/api/v1/filters/:id", .required) { request, transaction in
      let filter = try transaction.filter(withKeyword: request.id)
      guard let keyword = filter.keywords.first(where: { $0.id == request.id }) else { throw Refusal.notFound }
      return answer(OldFilterEntity(keyword, of: filter))
    },
    Route(.get, "/api/v2/filters", .required) { _, transaction in
      answer(try transaction.filters().map(FilterEntity.init))
    },
    Route(.post, "/api/v2/filters", .required) { request, transaction in
      let sent = try request.parameters()
      guard sent.has("title"), sent.has("context") else { throw Refusal.invalid("title or context is missing.") }
      return answer(
        FilterEntity(try transaction.save(changed(FilterRecord(title: "", contexts: []), by: sent, transaction))))
    },
    Route(.get, "/api/v2/filters/:id", .required) { request, transaction in
      answer(FilterEntity(try transaction.filter(request.id)))
    },
    Route(.put, "/api/v2/filters/:id", .required) { request, transaction in
      let filter = try transaction.filter(request.id)
      return answer(FilterEntity(try transaction.save(changed(filter, by: request.parameters(), transaction))))
    },
    Route(.delete, "/api/v2/filters/:id", .required) { request, transaction in
      try transaction.deleteFilter(request.id)
      return .done
    },
    Route(.get, "/api/v2/filters/:id/keywords", .required) { request, transaction in
      answer(try transaction.filter(request.id).keywords.map(KeywordEntity.init))
    },
    Route(.post, "/api/v2/filters/:id/keywords", .required) { request, transaction in
      var filter = try transaction.filter(request.id)
      let sent = try request.parameters()
      try sent.refuseOthers(than: ["keyword", "whole_word"])
      let index = filter.add(try changed(FilterRecord.Keyword(text: "", isWhole: false), by: sent))
      return try answer(transaction.save(filter).keywords[index])
    },
    Route(.get, "/api/v2/filters/keywords/:id", .required) { request, transaction in
      try answer(transaction.filter(withKeyword: request.id).keywords.first { $0.id == request.id })
    },
    Route(.put, "/api/v2/filters/keywords/:id", .required) { request, transaction in
      var filter = try transaction.filter(withKeyword: request.id)
      let sent = try request.parameters()
      try sent.refuseOthers(than: ["keyword", "whole_word"])
      for index in filter.keywords.indices where filter.keywords[index].id == request.id {
        filter.keywords[index] = try changed(filter.keywords[index], by: sent)
      }
      return try answer(transaction.save(filter).keywords.first { $0.id == request.id })
    },
    Route(.delete, "/api/v2/filters/keywords/:id", .required) { request, transaction in
      var filter = try transaction.filter(withKeyword: request.id)
      filter.keywords.removeAll { $0.id == request.id }
      _ = try transaction.save(filter)
      return .done
    },
    Route(.get, "/api/v2/filters/:id/statuses", .required) { request, transaction in
      answer(try transaction.filter(request.id).statuses.map(FilterStatusEntity.init))
    },
    Route(.post, "/api/v2/filters/:id/statuses", .required) { request, transaction in
      let filter = try transaction.filter(request.id)
      let sent = try request.parameters()
      try sent.refuseOthers(than: ["status_id"])
      guard let status = try sent.id("status_id") else { throw sent.fault("status_id", "is missing") }
      return answer(FilterStatusEntity(try transaction.addStatus(status, to: filter)))
    },
    Route(.get, "/api/v2/filters/statuses/:id", .required) { request, transaction in
      let filter = try transaction.filter(withStatus: request.id)
      return answer(filter.statuses.filter { $0.id == request.id }.map(FilterStatusEntity.init).first)
    },
    Route(.delete, "/api/v2/filters/statuses/:id", .required) { request, transaction in
      try transaction.removeFilterStatus(request.id)
      return .done
    },
  ]

  private enum Action: String, CaseIterable {
    case warn, hide
  }

  private static let mostCharacters = 200

  /// Returns `filter` with the request's changes.
  private static func changed(
    _ filter: FilterRecord, by sent: RequestParameters, _ transaction: Transaction
  ) throws -> FilterRecord {
    try sent.refuseOthers(than: ["title", "context", "filter_action", "expires_in", "keywords_attributes"])
    var filter = filter
    if let title = try sent.text("title") { filter.title = try checked(title, "title") }
    filter.contexts = try sent.choices("context") ?? filter.contexts
    if let action: Action = try sent.choice("filter_action") { filter.hides = action == .hide }
    if sent.value("expires_in") != nil {
      let seconds = try sent.integer("expires_in", in: 1...3_155_760_000)
      filter.expiresAt = seconds.map { transaction.nowInMilliseconds + Int64($0) * 1000 }
    }
    for keyword in try sent.objects("keywords_attributes") ?? [] {
      try keyword.refuseOthers(than: ["id", "keyword", "whole_word", "_destroy"])
      let id = try keyword.id("id")
      let index = filter.keywords.firstIndex { $0.id == id }
      if id != nil, index == nil { throw keyword.fault("id", "is not a keyword of this filter") }
      if try keyword.flag("_destroy") == true {
        if let index { filter.keywords.remove(at: index) }
      } else if let index {
        filter.keywords[index] = try changed(filter.keywords[index], by: keyword)
      } else {
        _ = filter.add(try changed(FilterRecord.Keyword(text: "", isWhole: false), by: keyword))
      }
    }
    return filter
  }

  private static func changed(
    _ keyword: FilterRecord.Keyword, by sent: RequestParameters
  ) throws -> FilterRecord.Keyword {
    var keyword = keyword
    keyword.text = try checked(try sent.text("keyword") ?? keyword.text, "keyword")
    keyword.isWhole = try sent.flag("whole_word") ?? keyword.isWhole
    return keyword
  }

  private static func checked(_ text: String, _ name: String) throws(Refusal) -> String {
    let line = SafeText.line(text).trimmed()
    guard !isBlank(line), line.count <= mostCharacters, line.utf8.count <= 8 * mostCharacters else {
      throw .invalid("\(name) must have 1 to \(mostCharacters) characters.")
    }
    return line
  }

  private static func answer(_ value: some Encodable) -> ServiceResponse {
    ServiceResponse(.json(SmallJSON.bytes(value)))
  }

  private static func answer(_ keyword: FilterRecord.Keyword?) throws -> ServiceResponse {
    guard let keyword else { throw Refusal.notFound }
    return answer(KeywordEntity(keyword))
  }
}

/// <https://docs.joinmastodon.org/entities/Filter/>
private struct FilterEntity: Encodable {
  var id: String
  var title: String
  var context: [FilterRecord.Context]
  @OrNull var expiresAt: String?
  var action: String
  var keywords: [KeywordEntity]
  var statuses: [FilterStatusEntity]

  enum CodingKeys: String, CodingKey {
    case id, title, context, keywords, statuses
    case expiresAt = "expires_at"
    case action = "filter_action"
  }

  init(_ filter: FilterRecord) {
    id = String(filter.id)
    title = filter.title
    context = filter.contexts.inOrder
    expiresAt = filter.expiresAt.map { WireDate.text(Date(milliseconds: $0)) }
    action = filter.hides ? "hide" : "warn"
    keywords = filter.keywords.map(KeywordEntity.init)
    statuses = filter.statuses.map(FilterStatusEntity.init)
  }
}

private struct KeywordEntity: Encodable {
  var id: String
  var keyword: String
  var isWhole: Bool

  enum CodingKeys: String, CodingKey {
    case id, keyword
    case isWhole = "whole_word"
  }

  init(_ keyword: FilterRecord.Keyword) {
    id = String(keyword.id)
    self.keyword = keyword.text
    isWhole = keyword.isWhole
  }
}

/// <https://docs.joinmastodon.org/entities/V1_Filter/>
private struct OldFilterEntity: Encodable {
  var id: String
  var phrase: String
  var context: [FilterRecord.Context]
  @OrNull var expiresAt: String?
  var hides: Bool
  var isWhole: Bool

  enum CodingKeys: String, CodingKey {
    case id, phrase, context
    case expiresAt = "expires_at"
    case hides = "irreversible"
    case isWhole = "whole_word"
  }

  init(_ keyword: FilterRecord.Keyword, of filter: FilterRecord) {
    id = String(keyword.id)
    phrase = keyword.text
    context = filter.contexts.inOrder
    expiresAt = filter.expiresAt.map { WireDate.text(Date(milliseconds: $0)) }
    hides = filter.hides
    isWhole = keyword.isWhole
  }
}

private struct FilterStatusEntity: Encodable {
  var id: String
  var status: String

  enum CodingKeys: String, CodingKey {
    case id
    case status = "status_id"
  }

  init(_ status: FilterRecord.Status) {
    id = String(status.id)
    self.status = String(status.status)
  }
}
