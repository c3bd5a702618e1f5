import QwinkleWire
import Testing

/// The form in which a file goes to a server.
@Suite struct UploadFormTests {
  @Test func `what is written is read again, whatever the file is called`() throws {
    let bytes: [UInt8] = [0, 13, 10, 45, 45, 255, 13, 10]
    let form = FormParts.form(
      values: [("description", "A green kiosk")], file: ("file", "a\"b\r\nc.png", "image/png"), boundary: "x-7")
    let parts = try FormParts(form.start + bytes + form.end, contentType: "multipart/form-data; boundary=x-7")
    #expect(parts.parts.map(\.name) == ["description", "file"])
    #expect(parts["description"] == "A green kiosk")
    #expect(parts.parts.last?.body == bytes)
    #expect(parts.parts.last?.fileName?.contains("\n") == false)
  }
}
