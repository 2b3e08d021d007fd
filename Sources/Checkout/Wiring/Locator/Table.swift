/// The cells of a container by the types of their services: a hash table that never changes.
final class Table: Sendable {
  private struct Slot: Sendable {
    let key: UInt
    let cell: any AnyCell
  }

  let cells: [any AnyCell]
  let instances = Instances()
  private let slots: [Slot?]
  private let shift: UInt

  init(_ registrations: [Registration]) {
    // The last registration of a service wins.
    var last: [ObjectIdentifier: Int] = [:]
    for (index, registration) in registrations.enumerated() { last[registration.key] = index }
    // At most half full, so that few keys share a slot.
    let bits = UInt.bitWidth - max(last.count * 2 - 1, 1).leadingZeroBitCount
    shift = UInt(UInt.bitWidth - bits)
    var slots = [Slot?](repeating: nil, count: 1 << bits)
    var cells: [any AnyCell] = []
    for index in last.values.sorted() {
      let registration = registrations[index]
      let key = UInt(bitPattern: registration.key)
      var place = Self.place(key, shift)
      while slots[place] != nil { place = (place + 1) & (slots.count - 1) }
      let cell = registration.makeCell()
      slots[place] = Slot(key: key, cell: cell)
      cells.append(cell)
    }
    self.slots = slots
    self.cells = cells
    for cell in cells { cell.start(instances) }
  }

  /// The cell of that service.
  @inline(__always)
  func cell<Service: Sendable>(_ service: Service.Type) -> Cell<Service>? {
    let key = UInt(bitPattern: ObjectIdentifier(service))
    var place = Self.place(key, shift)
    while let slot = slots[place] {
      if slot.key == key {
        // Valid: the key is the service's type, and only `Registration` makes cells, of its type.
        return unsafeDowncast(slot.cell, to: Cell<Service>.self)
      }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Where the search for a key starts: its bits are addresses, which multiplication spreads.
  @inline(__always)
  private static func place(_ key: UInt, _ shift: UInt) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
