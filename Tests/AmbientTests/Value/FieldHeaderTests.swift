// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Field headers` {
  private static let kinds: [FieldKind] = [
    .null, .boolean, .integer, .unsigned, .double, .string, .date, .array, .fields,
  ]

  /// The field's bytes, and a zero after them.
  private func bytes(_ kind: FieldKind, _ form: TextForm, _ name: String, _ value: String)
    -> [UInt8]
  {
    name.withBytes { name in
      value.withBytes { value in
        let header = FieldHeader(kind, form, name: name, value: value)
        let size = FieldHeader.size + name.count + value.count
        #expect(header.size == size && header.hash == FieldHeader.hash(of: name))
        var bytes = [UInt8](repeating: 0, count: size + 1)
        bytes.withUnsafeMutableBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          header.write(name, value, to: start)
        }
        return bytes
      }
    }
  }

  @Test(arguments: [0, 1, 3, 4, 7, 8, 9, 16, 300, 70_000], [0, 1, 8, 300, 70_000])
  func `a FieldHeader stores the lengths of the field's name and value`(
    nameSize: Int, valueSize: Int
  )
    throws
  {
    let name = String(repeating: "n", count: nameSize)
    let value = String(repeating: "v", count: valueSize)
    for (kind, form) in [(FieldKind.string, TextForm.plain), (.array, .special)] {
      let bytes = bytes(kind, form, name, value)
      #expect(bytes.last == 0)
      try bytes.dropLast().withUnsafeBytes { bytes in
        var reader = FieldReader(bytes)
        let next = reader.next()
        let field = try #require(next)
        #expect(reader.isAtEnd && field.size == bytes.count)
        #expect(field.kind == kind && field.form == form && field.isNamePlain == (nameSize > 0))
        #expect(field.name.elementsEqual(name.utf8) && field.value.elementsEqual(value.utf8))
        #expect(field.revealed == nil)
      }
    }
  }

  @Test func `a FieldHeader stores the value's kind and form, and whether the name is plain`()
    throws
  {
    for kind in Self.kinds {
      for form in [TextForm.special, .plain, .quotable] {
        for (name, isPlain) in [("order", true), ("an order", false), ("é", false), ("", false)] {
          try bytes(kind, form, name, "value").withUnsafeBytes { bytes in
            var reader = FieldReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
            let next = reader.next()
            let field = try #require(next)
            #expect(field.kind == kind && field.form == form && field.isNamePlain == isPlain)
          }
        }
      }
    }
  }

  @Test func `a FieldHeader has a bit for each privacy level that hides the value`() {
    let hidden: [AmbientPrivacy] = [.private, .sensitive(.hash)]
    #expect(hidden.map { FieldHeader.privacy(FieldHeader.mark($0)) } == hidden)
    #expect(FieldHeader.mark(.public) == 0 && FieldHeader.privacy(0) == nil)
    #expect(FieldHeader.privacy(~(FieldHeader.mark(.private) | FieldHeader.mark(hidden[1]))) == nil)
    for hash in [0, 1 << 9, 1 << 10, 0xFFFF] as [UInt16] {
      #expect(FieldHeader.bit(hash) == 1 << UInt64(hash >> 10))
    }
  }
}
