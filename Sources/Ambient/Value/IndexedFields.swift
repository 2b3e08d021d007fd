// SPDX-License-Identifier: Apache-2.0

/// Many fields with distinct names, and the position of each name.
package struct IndexedFields: Sendable {
  private(set) var fields: [AmbientFields.Field] = []
  /// A serial number for each name, given in the order of the fields.
  private var numbers: [FieldName: Int] = [:]
  /// `order[i]` is the serial number of `fields[i]`. When a field is removed, the others keep their
  /// numbers.
  private var order: [Int] = []

  /// A list of at most this many fields gets no table: its names are compared one after another.
  static var mostUnindexed: Int { 32 }

  /// Creates a table of the fields in a list. A repeated name gets the position of its first
  /// occurrence and the value of its last.
  package init(_ list: [AmbientFields.Field]) {
    fields.reserveCapacity(list.count)
    order.reserveCapacity(list.count)
    numbers.reserveCapacity(list.count)
    for field in list { self[field.name] = field.value }
  }

  /// The value of the field called `name`. Assigning a value to a new name appends a field;
  /// assigning nil removes the field.
  package subscript(name: String) -> AmbientValue? {
    get { numbers[FieldName(name)].map { fields[place(of: $0)].value } }
    set {
      let key = FieldName(name)
      guard let newValue else {
        guard let place = numbers.removeValue(forKey: key).map(place) else { return }
        order.remove(at: place)
        fields.remove(at: place)
        return
      }
      let field = AmbientFields.Field(name: name, value: newValue)
      let next = (order.last ?? -1) + 1
      // A single access of the dictionary finds the number of the name or, if the name is new,
      // stores `next` as its number.
      let number = Self.value(of: &numbers[key, default: next])
      if number < next {
        fields[place(of: number)] = field
      } else {
        order.append(number)
        fields.append(field)
      }
    }
  }

  private static func value(of number: inout Int) -> Int { number }

  /// Returns the position of the field that has the serial number `number`. If no earlier field was
  /// removed, the position equals the number. Otherwise it is lower, and a binary search finds it.
  private func place(of number: Int) -> Int {
    if number < order.count, order[number] == number { return number }
    var places = 0..<min(number, order.count)
    while places.count > 1 {
      let middle = places.lowerBound + places.count / 2
      places = order[middle] <= number ? middle..<places.upperBound : places.lowerBound..<middle
    }
    return places.lowerBound
  }
}
