import QwinkleWire
import Testing

/// The multipart form of an upload.
@Suite struct UploadFormTests {
  @Test func `an upload form with an unsafe file name can be read back`() throws {
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
