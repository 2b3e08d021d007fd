/// Many fields, each with a name of its own, and where each name stands.
struct FieldIndex: Sendable {
  private(set) var fields: [AmbientFields.Field] = []
  /// A number for each name, ascending in the order of the fields.
  private var numbers: [FieldName: Int] = [:]
  /// The numbers in the order of the fields. One that is removed leaves a gap, so that those of the
  /// fields behind it need not change.
  private var order: [Int] = []

  /// Up to so many fields, names are looked for one after another.
  static var least: Int { 32 }

  /// The fields of a list; of two with one name, the later value at the earlier place.
  init(_ list: [AmbientFields.Field]) {
    fields.reserveCapacity(list.count)
    order.reserveCapacity(list.count)
    numbers.reserveCapacity(list.count)
    for field in list { self[field.name] = field.value }
  }

  /// The value of that name: a field that is new stands last; nil removes it.
  subscript(name: String) -> AmbientValue? {
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
      // One access, which gives the name a number if it has none.
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

  /// Where a number stands: at that place if nothing before it was removed, else found by halving
  /// what lies before that place.
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
