// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// Reading values back.
extension FieldBytes {
  /// The fields as a list, in their order.
  var list: [AmbientFields.Field] { read { $0.list } }

  /// The number of fields. Each read of this property walks all headers.
  var count: Int {
    read { reader in
      var reader = reader
      var count = 0
      while reader.next() != nil { count += 1 }
      return count
    }
  }

  /// The field that follows the first `count` fields; nil if there is none.
  func field(after count: Int) -> AmbientFields.Field? {
    read { reader in
      var reader = reader
      for _ in 0..<count where reader.next() == nil { return nil }
      return reader.next()?.listed
    }
  }

  /// Returns the value of the field called `name`, or nil if there is none.
  func value(of name: UnsafeRawBufferPointer) -> AmbientValue? {
    guard let place = place(of: name) else { return nil }
    return read { reader in
      var reader = reader.dropping(place.offset)
      return reader.next()?.ambientValue
    }
  }
}

extension FieldReader {
  /// The fields as a list, in their order.
  var list: [AmbientFields.Field] {
    var reader = self
    var list: [AmbientFields.Field] = []
    while let field = reader.next() { list.append(field.listed) }
    return list
  }
}

extension FieldReader.Field {
  /// The field as an element of `AmbientFields`.
  fileprivate var listed: AmbientFields.Field {
    AmbientFields.Field(name: String(decoding: name, as: UTF8.self), value: ambientValue)
  }

  /// The value, decoded.
  var ambientValue: AmbientValue {
    revealed.map { .revealed(plainValue, $0) } ?? plainValue
  }

  private var plainValue: AmbientValue {
    switch kind {
    case .null: .null
    case .boolean: .boolean(value.count == 4)
    case .integer: Int64(string).map(AmbientValue.integer) ?? .string(string)
    case .unsigned: UInt64(string).map(AmbientValue.unsigned) ?? .string(string)
    case .double: Double(string).map(AmbientValue.double) ?? .string(string)
    case .string: .string(string)
    case .date:
      .date(
        Date(
          timeIntervalSinceReferenceDate: Double(
            bitPattern: value.loadUnaligned(as: UInt64.self))))
    case .array: .array(inner.list.map(\.value))
    case .fields: .fields(AmbientFields(list: inner.list))
    }
  }

  private var string: String { String(decoding: value, as: UTF8.self) }
}
