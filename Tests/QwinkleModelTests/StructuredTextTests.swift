import QwinkleModel
import Testing

@Suite struct StructuredTextTests {
  @Test func `lists, quotes and code are distinguishable without colours`() {
    let text = RichText([
      .init([.init("Bring:")]),
      .init([.init("two cups,\nclean")], style: .item(sign: "•", depth: 0)),
      .init([.init("or three")], style: .item(sign: "•", depth: 1)),
      .init([.init("and tea")], style: .item(sign: "2.", depth: 0)),
      .init([.init("They said\nmore")], style: .quote),
      .init([.init("let x = 1\n  x", kind: .code)], style: .code),
      .init([.init("Type "), .init("ls -l", kind: .code), .init(" and "), .init("`x`", kind: .code), .init(".")]),
    ])
    #expect(
      text.structuredText == """
        Bring:

        • two cups,
          clean
          • or three
        2. and tea

        › They said
        › more

            let x = 1
              x

        Type `ls -l` and `x`.
        """)
  }

  @Test func `an empty text stays empty`() {
    #expect(RichText().structuredText == "")
  }
}
