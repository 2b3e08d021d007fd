/// The cells of a container by the types of their services: a hash table that never changes.
final class Table: Sendable {
  /// A service's type and what its cell shows, as bit patterns, so that looking for one counts no
  /// references; a free slot has the key zero.
  private struct Slot: Sendable {
    var key: UInt = 0
    var current: UInt = 0
    var index = 0
  }

  let cells: [any AnyCell]
  let instances = Instances()
  private let slots: [Slot]
  private let shift: UInt

  init(_ registrations: [Registration]) {
    // The last registration of a service wins.
    var last: [ObjectIdentifier: Int] = [:]
    for (index, registration) in registrations.enumerated() { last[registration.key] = index }
    // At most half full, so that few keys share a slot.
    let bits = UInt.bitWidth - max(last.count * 2 - 1, 1).leadingZeroBitCount
    shift = UInt(UInt.bitWidth - bits)
    var slots = [Slot](repeating: Slot(), count: 1 << bits)
    var cells: [any AnyCell] = []
    for index in last.values.sorted() {
      let registration = registrations[index]
      let key = UInt(bitPattern: registration.key)
      var place = Self.place(key, shift)
      while slots[place].key != 0 { place = (place + 1) & (slots.count - 1) }
      let cell = registration.makeCell()
      let current = Unmanaged.passUnretained(cell.current).toOpaque()
      slots[place] = Slot(key: key, current: UInt(bitPattern: current), index: cells.count)
      cells.append(cell)
    }
    self.slots = slots
    self.cells = cells
    for cell in cells { cell.start(instances) }
  }

  /// The cell of that service.
  func cell<Service: Sendable>(_ service: Service.Type) -> Cell<Service>? {
    // Valid: the key is the service's type, and only `Registration` makes cells, of its type.
    slot(ObjectIdentifier(service)).map { unsafeDowncast(cells[$0.index], to: Cell<Service>.self) }
  }

  /// The box that the cell of that service shows, if it shows one.
  func box(_ service: ObjectIdentifier) -> UnsafeRawPointer? {
    guard let slot = slot(service), let pointer = UnsafeRawPointer(bitPattern: slot.current) else {
      return nil
    }
    // Valid: the cell holds it, and `cells` holds the cell.
    return Unmanaged<CurrentBox>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.pointer }
  }

  @inline(__always)
  private func slot(_ service: ObjectIdentifier) -> Slot? {
    let key = UInt(bitPattern: service)
    var place = Self.place(key, shift)
    while true {
      let slot = slots[place]
      if slot.key == key { return slot }
      if slot.key == 0 { return nil }
      place = (place + 1) & (slots.count - 1)
    }
  }

  /// Where the search for a key starts: its bits are addresses, which multiplication spreads.
  @inline(__always)
  private static func place(_ key: UInt, _ shift: UInt) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
