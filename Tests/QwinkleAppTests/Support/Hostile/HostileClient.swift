import QwinkleTesting

/// A client that tries to use more than its share of a server.
struct HostileClient: Sendable {
  let name: String
  /// Arguments for starting the attacked server.
  let serverArguments: [String]
  let attack: @Sendable (Attack) -> Void

  init(_ name: String, serverArguments: [String] = [], attack: @escaping @Sendable (Attack) -> Void) {
    self.name = name
    self.serverArguments = serverArguments
    self.attack = attack
  }

  static let all: [HostileClient] = [streams, bodies, connections, reads, writes, signIns].flatMap { $0 }

  /// Attacks from fifty addresses.
  static let crowd = [connectionsFromFifty, passwordGuesses, registrations]
}

// MARK: - Connections

extension HostileClient {
  private static let page = "/api/v1/timelines/public?limit=40"

  private static let connections = [
    HostileClient("idle connections") { $0.hold(1500, opening: "", pause: 200) },
    HostileClient("connections from one address") { attack in
      attack.hold(2500, opening: "GET / HTTP/1.1\r\n", pause: 200)
      attack.run(4, pause: 20) { _, _ in
        let client = try attack.connect()
        try client.send(RequestText.get("/health", fields: ["Connection: close"]))
        if let response = client.nextResponse(dropsBody: true) { attack.note(response.status) }
      }
    },
    connectionsFromFifty,
    HostileClient("slow readers") { attack in
      let request = RequestText.get(Self.page)
      attack.hold(
        200, receiveBuffer: 4096, opening: String(repeating: request, count: 20), piece: Array(request.utf8),
        reads: false, pause: 200)
    },
    HostileClient("pipelined requests") { attack in
      attack.run(10) { _, _ in
        let client = try attack.connect()
        while attack.isOn {
          let requests = (0..<100).map { _ in
            RequestText.get("\(Self.page)&since_id=\(Int64.random(in: 0..<1 << 40))")
          }
          var rest = Array(requests.joined(separator: "").utf8)[...]
          while attack.isOn, !rest.isEmpty {
            guard let count = client.sendNow(rest), let received = client.readNow(atMost: 64 << 10) else { return }
            rest = rest.dropFirst(count)
            if count == 0, received.isEmpty { Attack.pause(milliseconds: 1) }
          }
          Attack.pause(milliseconds: 100)
        }
      }
    },
    HostileClient("half-closed connections beyond the pace") { attack in
      let head = RequestText.upload("/api/v1/statuses", type: "application/json", length: 60_000)
      let bytes = Array(head.utf8) + [UInt8](repeating: 32, count: 60_000)
      attack.run(20) { _, _ in
        let client = try attack.connect()
        try client.send(bytes)
        client.shutdownSending()
        Attack.pause(milliseconds: 200)
      }
    },
  ]

  private static let connectionsFromFifty = HostileClient("connections from fifty addresses") {
    $0.hold(3000, from: Attack.addresses, opening: "GET / HTTP/1.1\r\n", pause: 200)
  }
}

// MARK: - Bodies and headers

extension HostileClient {
  private static let bodies = [
    HostileClient("1 MB bodies, signed out") {
      let head = RequestText.upload("/api/v1/statuses", type: "application/json", length: 1 << 20)
      $0.hold(150, opening: head, piece: [UInt8](repeating: 32, count: 8192), most: 1_000_000, pause: 20)
    },
    HostileClient("slow bodies") {
      let head = RequestText.upload("/oauth/token", type: "application/x-www-form-urlencoded", length: 100_000)
      $0.hold(500, opening: head, piece: [UInt8(ascii: "a")], pause: 100)
    },
    HostileClient("uploads that trickle") {
      let head = RequestText.upload(
        "/api/v2/media", type: "multipart/form-data; boundary=x", length: 16 << 20, token: $0.target.token)
      $0.hold(16, opening: head, piece: [UInt8](repeating: 32, count: 64 << 10), most: 16_000_000, pause: 20)
    },
    HostileClient("large headers") { attack in
      let padding = "X-Padding: " + String(repeating: "x", count: 80_000)
      attack.hold(300, opening: "GET / HTTP/1.1\r\n\(padding)", pause: 200)
      let request = RequestText.get("/health", fields: [padding])
      attack.run(4) { _, client in try client.response(to: request, dropsBody: true) }
    },
    HostileClient("256 large headers with unfinished bodies") {
      let padding = "X-Padding: " + String(repeating: "x", count: 30_000)
      let head = RequestText.upload(
        "/api/v1/apps", type: "application/x-www-form-urlencoded", length: 10_000, fields: [padding])
      $0.hold(256, opening: head + "a", pause: 200)
    },
    HostileClient("256 bodies in files by one user") {
      let head = RequestText.upload(
        "/api/v1/statuses", type: "application/json", length: 1 << 20, token: $0.target.token)
      $0.hold(256, opening: head, piece: [UInt8](repeating: 32, count: 8192), most: 1_000_000, pause: 20)
    },
  ]
}

// MARK: - Reads

extension HostileClient {
  private static let reads = [
    HostileClient("long queries") { attack in
      let requests = [
        RequestText.get("/" + String(repeating: "x", count: 80_000)),
        RequestText.get("/api/v1/statuses?" + attack.target.posts.map { "id[]=\($0)" }.joined(separator: "&")),
        RequestText.get("/api/v1/timelines/tag/tea?" + (0..<600).map { "any[]=t\($0)" }.joined(separator: "&")),
      ]
      attack.run(6) { turn, client in
        try client.response(to: requests[turn.client % requests.count], dropsBody: true)
      }
    },
    HostileClient("searches of 8,000 tokens") { attack in
      // The second query exceeds the limit of a request line.
      let requests = [4000, 8000].map { RequestText.get("/api/v2/search?q=" + String(repeating: "a+", count: $0)) }
      attack.run(4) { turn, client in
        try client.response(to: requests[turn.client % requests.count], dropsBody: true)
      }
    },
    HostileClient("deep paging") { attack in
      attack.run(2) { _, client in
        var target: String? = Self.page
        while attack.isOn, let next = target {
          let response = try client.response(to: RequestText.get(next), dropsBody: true)
          target = response.head.firstMatch(of: #/max_id=([0-9]+)/#).map { "\(Self.page)&max_id=\($0.output.1)" }
        }
      }
      let token = attack.target.token
      attack.run(2) { turn, client in
        let search = "/api/v2/search?q=the&type=statuses&limit=40&offset=\(turn.round * 40)"
        try client.response(to: RequestText.get(search, token: token), dropsBody: true)
      }
    },
    HostileClient("exports") { attack in
      let target = attack.target
      let paths = [
        "/api/v1/statuses/\(target.thread)/context", "/api/v1/accounts/\(target.id)/followers?limit=80",
        "/api/v1/blocks?limit=80", "/api/v1/accounts/\(target.id)/statuses?limit=40",
      ]
      attack.run(4) { turn, client in
        let path = paths[(turn.client + turn.round) % paths.count]
        try client.response(to: RequestText.get(path, token: target.token), dropsBody: true)
      }
    },
    HostileClient("filters with repeated contexts") { attack in
      let target = attack.target
      let contexts = (0..<980).map { ["\"home\"", "\"public\"", "\"thread\""][$0 % 3] }.joined(separator: ",")
      let filter = """
        {"title":"the","context":[\(contexts)],"keywords_attributes":[{"keyword":"the"}]}
        """
      attack.run(1, pause: 1) { turn, client in
        guard turn.round < 30 else { return Attack.pause(milliseconds: 100) }
        try client.response(to: RequestText.post("/api/v2/filters", json: filter, token: target.token))
      }
      attack.run(3) { turn, client in
        let path = turn.round.isMultiple(of: 2) ? Self.page : "/api/v1/statuses/\(target.thread)/context"
        try client.response(to: RequestText.get(path, token: target.token), dropsBody: true)
      }
    },
  ]
}

// MARK: - Writes

extension HostileClient {
  private static let writes = [
    HostileClient("one favourite toggled by 60 connections") { attack in
      let target = attack.target
      attack.run(60) { turn, client in
        let action = turn.round.isMultiple(of: 2) ? "favourite" : "unfavourite"
        let path = "/api/v1/statuses/\(target.posts[0])/\(action)"
        try client.response(to: RequestText.post(path, token: target.token), dropsBody: true)
      }
    }
  ]

  private static let signIns = [passwordGuesses, registrations, accountRegistrations]

  private static let passwordGuesses = HostileClient("password guesses from fifty addresses") { attack in
    attack.run(50, from: Attack.addresses) { _, client in
      let page = try client.response(to: RequestText.get(attack.target.signInPage))
      let cookie = page.head.firstMatch(of: #/(?i)set-cookie: ([^;]*)/#).map { "Cookie: \($0.output.1)" }
      let hidden = Browser.hiddenFields(of: String(decoding: page.body, as: UTF8.self))
      // Half of the guesses are for the same name.
      for number in 0..<100 where attack.isOn {
        let name = number.isMultiple(of: 2) ? "anna" : "user\(number)"
        let guess: [Browser.Field] = hidden + [("name", name), ("password", "wrong horse"), ("answer", "allow")]
        let request = RequestText.post("/oauth/authorize", guess, fields: cookie.map { [$0] } ?? [])
        try client.response(to: request, dropsBody: true)
        Attack.pause(milliseconds: 50)
      }
    }
  }

  private static let registrations = HostileClient("app registrations from fifty addresses") { attack in
    attack.run(50, from: Attack.addresses) { turn, client in
      try client.response(to: HostileTarget.registration("App \(turn.client)-\(turn.round)"), dropsBody: true)
    }
  }

  private static let accountRegistrations = HostileClient(
    "account registrations from fifty addresses", serverArguments: ["--open-registration"]
  ) { attack in
    attack.run(50, from: Attack.addresses) { turn, client in
      let app = try client.values(
        ["client_id", "client_secret"], of: HostileTarget.registration("App \(turn.client)-\(turn.round)"))
      let grant: [Browser.Field] = [
        ("grant_type", "client_credentials"), ("client_id", app[0]), ("client_secret", app[1]),
        ("scope", "read write"),
      ]
      let token = try client.value("access_token", of: RequestText.post("/oauth/token", grant))
      for number in 0..<100 where attack.isOn {
        let account: [Browser.Field] = [
          ("username", "new\(turn.client)_\(turn.round)_\(number)"), ("password", "correct horse \(number)"),
          ("email", "new@qwinkle.example"), ("agreement", "true"), ("locale", "en"),
        ]
        try client.response(to: RequestText.post("/api/v1/accounts", account, token: token), dropsBody: true)
        Attack.pause(milliseconds: 50)
      }
    }
  }
}
