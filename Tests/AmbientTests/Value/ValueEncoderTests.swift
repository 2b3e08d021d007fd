// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

private struct Order: Encodable {
  struct Item: Encodable {
    let name: String
    let price: Double
  }
  enum Payment: String, Encodable { case card }

  let zone = "EU"
  let id: UUID
  let items = [Item(name: "coffee", price: 2.5), Item(name: "cake", price: 3)]
  let count: UInt64 = .max
  let placed = Date(timeIntervalSinceReferenceDate: 7.25)
  let gift: Bool? = nil
  let note: String? = "no sugar"
  let payment = Payment.card
  let matrix = [[1, 2], []]
  let nothing: [Int?] = [1, nil]
  let ratio: Float = 0.1
  let page = URL(string: "https://example.org/a?b=c")
  let total = Decimal(string: "12.50")
  let exact = Decimal(string: "0.1234567890123456789")
  let whole = Decimal(7)
  let data = Data([1, 2, 255])
  let least = Int8.min
  let stock = ["pears": 1, "apples": 2, "figs": 3]
  let empty = [String: Int]()
  let nan = Double.nan
}

private class Base: Encodable {
  let base = 1
}

private final class Derived: Base {
  enum Keys: String, CodingKey { case own, list, again, group, inner }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode("first", forKey: .again)
    try container.encode(2, forKey: .own)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try list.encode("a")
    var group = list.nestedContainer(keyedBy: Keys.self)
    // The containers of an encoder may be used in any order.
    var inner = group.nestedContainer(keyedBy: Keys.self, forKey: .inner)
    try list.encodeNil()
    var nested = list.nestedUnkeyedContainer()
    try nested.encode(list.count)
    try inner.encode(true, forKey: .own)
    try container.encode("second", forKey: .again)
    try super.encode(to: container.superEncoder())
    try super.encode(to: container.superEncoder(forKey: .group))
  }
}

/// Encodes itself without end.
private struct Endless: Encodable {
  enum Keys: CodingKey { case next }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(Endless(), forKey: .next)
  }
}

private struct Torn: Encodable {
  func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: CodingKeys.self)
    _ = encoder.unkeyedContainer()
  }
  enum CodingKeys: CodingKey {}
}

private struct Refusing: Encodable {
  struct Refusal: Error, CustomStringConvertible { let description = "the card expired" }

  let list = [Never]()

  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

/// Throws what Swift's own encoders do, and does not say where.
private struct Placeless: Encodable {
  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, EncodingError.Context(codingPath: [], debugDescription: "the amount is infinite"))
  }
}

/// Catches the first error, goes on, and throws another.
private struct Forgiving: Encodable {
  struct Later: Error, CustomStringConvertible { let description = "the rate is unknown" }
  enum Keys: CodingKey { case first, instead, second }

  let throwsLater: Bool

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    do {
      try container.encode(Refusing(), forKey: .first)
    } catch is Refusing.Refusal {
      try container.encode(1, forKey: .instead)
    }
    if throwsLater { throw Later() }
    try container.encode(Refusing(), forKey: .second)
  }
}

/// Opens two containers.
private enum Opening: Encodable {
  case objects, lists, listThenObject, valueThenObject, valueThenList, objectThenValue, listThenNull

  enum Keys: CodingKey { case first, second }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .objects, .objectThenValue:
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(1, forKey: .first)
    case .lists, .listThenObject, .listThenNull:
      var container = encoder.unkeyedContainer()
      try container.encode(1)
    case .valueThenObject, .valueThenList:
      var container = encoder.singleValueContainer()
      try container.encode(1)
    }
    switch self {
    case .objects, .listThenObject, .valueThenObject:
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(2, forKey: .second)
    case .lists, .valueThenList:
      var container = encoder.unkeyedContainer()
      try container.encode(2)
    case .objectThenValue:
      var container = encoder.singleValueContainer()
      try container.encode(2)
    case .listThenNull:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

/// A number within so many objects.
private struct Nested: Encodable {
  enum Keys: CodingKey { case next }

  let levels: Int

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    if levels > 1 {
      try container.encode(Nested(levels: levels - 1), forKey: .next)
    } else {
      try container.encode(1, forKey: .next)
    }
  }
}

/// Catches the error of what it contains, and encodes nothing instead.
private enum Silent: Encodable {
  case object, list, value

  enum Keys: CodingKey { case inner }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object:
      var container = encoder.container(keyedBy: Keys.self)
      try? container.encode(Refusing(), forKey: .inner)
    case .list:
      var container = encoder.unkeyedContainer()
      try? container.encode(Refusing())
    case .value:
      var container = encoder.singleValueContainer()
      try? container.encode(Refusing())
    }
  }
}

/// Encodes one that catches an error, and then one that may throw another.
private struct Following<Later: Encodable>: Encodable {
  let silent: Silent
  let later: Later
}

@Suite struct `Encodable values as fields` {
  @Test func `encoding a value as fields keeps the order and types of its members`() throws {
    let id = UUID()
    let order = Order(id: id)
    var fields = try AmbientFields(encoding: order)
    #expect(fields.last?.name == "nan" && fields["nan"]?.description == "nan")
    fields["nan"] = nil
    #expect(
      fields == [
        "zone": "EU", "id": id.uuidString,
        "items": [
          ["name": "coffee", "price": 2.5] as AmbientFields,
          ["name": "cake", "price": 3.0] as AmbientFields,
        ],
        "count": UInt64.max, "placed": order.placed, "note": "no sugar", "payment": "card",
        "matrix": [[1, 2], []], "nothing": [1, nil], "ratio": 0.1,
        "page": "https://example.org/a?b=c", "total": 12.5, "exact": "0.1234567890123456789",
        "whole": 7, "data": "AQL/", "least": -128,
        "stock": ["apples": 2, "figs": 3, "pears": 1] as AmbientFields,
      ])
    #expect(
      fields.map(\.name) == [
        "zone", "id", "items", "count", "placed", "note", "payment", "matrix", "nothing", "ratio",
        "page", "total", "exact", "whole", "data", "least", "stock",
      ])
    #expect(fields["stock"]?.description == #"{"apples":2,"figs":3,"pears":1}"#)
  }

  @Test func `encoding a value as fields includes nested containers and superclass members`() throws
  {
    #expect(
      try AmbientFields(encoding: Derived()).description
        == #"again=second own=2 list=["a",{"inner":{"own":true}},null,[4]] super={"base":1} group={"base":1}"#
    )
  }

  @Test func `an Encodable value becomes the properties of an event`() throws {
    struct Login: Encodable { let method = "card" }
    let event = try Event("login", encoding: Login(), user: "ada")
    #expect(event == Event("login", ["method": "card"], user: "ada"))
  }

  @Test func `enum cases and dictionaries with integer keys become nested fields`()
    throws
  {
    enum Choice: Encodable {
      case first(size: Int)
      case second
    }
    struct Chosen: Encodable {
      let a = Choice.first(size: 1)
      let numbers = [2: "two", 1: "one"]
    }
    #expect(
      try AmbientFields(encoding: Chosen()).description
        == #"a={"first":{"size":1}} numbers={"1":"one","2":"two"}"#)
  }

  @Test func `encoding a value that can't become fields throws an error with the value's path`()
    throws
  {
    func reason(_ value: some Encodable) -> String {
      let error = #expect(throws: AmbientEncodingError.self) { try AmbientFields(encoding: value) }
      return error?.description ?? ""
    }
    let deep = reason(Endless())
    #expect(deep.contains("next.next") && deep.contains("64"))
    try MessageCatalog.expect(
      "Ambient, encoding",
      [
        "A number": reason(7), "A Double that is NaN": reason(Double.nan),
        "An array": reason([1, 2]),
        "A Boolean": reason(true), "A string": reason("a"), "A date": reason(Date()),
        "Nothing": reason(Optional<Int>.none), "A value that throws": reason(Refusing()),
        "A value of two kinds": reason(Torn()), "Further in": reason(["a": [Torn()]]),
        "An error further in": reason(["a": [Refusing()]]),
        "An error without a place": reason(["a": [Placeless()]]),
        "An error after one that was caught": reason(["a": Forgiving(throwsLater: false)]),
        "Another error after one that was caught": reason(["a": Forgiving(throwsLater: true)]),
        "A hostile name": reason(["журнал\n\u{1B}[2J🛒": Refusing()]),
      ])
  }

  @Test func `a value can encode itself in two containers only if both are of the same kind`()
    throws
  {
    func fields(_ opening: Opening) throws -> AmbientFields {
      try AmbientFields(encoding: ["a": opening])
    }
    #expect(try fields(.objects) == ["a": ["first": 1, "second": 2] as AmbientFields])
    #expect(try fields(.lists) == ["a": [1, 2]])
    let mixed: [Opening] = [
      .listThenObject, .valueThenObject, .valueThenList, .objectThenValue, .listThenNull,
    ]
    for opening in mixed {
      let error = #expect(throws: AmbientEncodingError.self) { try fields(opening) }
      #expect(error?.path == "a" && error?.reason.isEmpty == false)
    }
  }

  @Test func `integers beyond 64 bits are encoded as text fields with all digits`() throws {
    let wide = ["most": Int128.max, "least": .min, "small": -7]
    #expect(
      try AmbientFields(encoding: wide) == [
        "most": "170141183460469231731687303715884105727",
        "least": "-170141183460469231731687303715884105728", "small": -7,
      ])
    struct Wide: Encodable {
      let signed = Int128.min
      let unsigned = UInt128.max
    }
    #expect(
      try AmbientFields(encoding: Wide()) == [
        "signed": "-170141183460469231731687303715884105728",
        "unsigned": "340282366920938463463374607431768211455",
      ])
    struct Bare: Encodable {
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(Int128(-7))
        try list.encode(UInt128(7))
        try list.encode(Alone(isSigned: true))
        try list.encode(Alone(isSigned: false))
      }
    }
    struct Alone: Encodable {
      let isSigned: Bool
      func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if isSigned { try value.encode(Int128(-8)) } else { try value.encode(UInt128(8)) }
      }
    }
    #expect(try AmbientFields(encoding: ["a": Bare()]) == ["a": [-7, 7, -8, 8]])
    let unsigned = try AmbientFields(encoding: ["a": UInt128(UInt64.max)])
    #expect(unsigned == ["a": UInt64.max])
    let decimals = ["18446744073709551615", "18446744073709551617"].map { Decimal(string: $0) }
    let fields = try AmbientFields(encoding: ["a": decimals])
    #expect(fields == ["a": [UInt64.max.ambientValue, "18446744073709551617"] as [AmbientValue]])
  }

  @Test func `an Encodable value nested deeper than 64 levels can't be encoded as fields`() throws {
    let error = #expect(throws: AmbientEncodingError.self) {
      try AmbientFields(encoding: Endless())
    }
    #expect(error?.path.split(separator: ".").count == 65)
    for levels in [64, 65] {
      let nested = Nested(levels: levels)
      if levels > 64 {
        #expect(throws: AmbientEncodingError.self) { try AmbientFields(encoding: nested) }
      } else {
        var value = AmbientValue.fields(try AmbientFields(encoding: nested))
        for _ in 0..<levels {
          guard case .fields(let fields) = value, let next = fields["next"] else { break }
          value = next
        }
        #expect(value == 1)
      }
    }
  }

  @Test func `after a caught encoding error, a later encoding error still has its own path`() {
    func place(_ value: some Encodable) -> String? {
      let error = #expect(throws: AmbientEncodingError.self) { try AmbientFields(encoding: value) }
      return error.map { "\($0.path): \($0.reason)" }
    }
    for silent in [Silent.object, .list, .value] {
      let refused = Following(silent: silent, later: Refusing())
      #expect(place(refused) == "later: its encoding threw “the card expired”")
      #expect(
        place(Following(silent: silent, later: Placeless()))
          == "later: its encoding threw “the amount is infinite”")
      #expect(place(["a": [refused]]) == "a.0.later: its encoding threw “the card expired”")
    }
  }
}
