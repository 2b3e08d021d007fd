import Synchronization

/// The slots of an isolating scope, made as its contexts are first used.
///
/// A reader walks an append-only list without a lock; an absent slot is added under one.
final class Isolation: Sendable {
  private final class Node: Sendable {
    let context: Int
    let slot: any AnyObject & Sendable
    let next: Node?

    init(context: Int, slot: any AnyObject & Sendable, next: Node?) {
      self.context = context
      self.slot = slot
      self.next = next
    }

    func slot<Service>(_ context: Int) -> Unmanaged<Slot<Service>>? {
      if self.context == context {
        // Valid because numbers are unique: only the context with this number makes such slots.
        return .passUnretained(unsafeDowncast(slot, to: Slot<Service>.self))
      }
      return next?.slot(context)
    }
  }

  /// The newest node as a bit pattern; zero for none.
  private let head = Atomic<UInt>(0)
  private let newest = Guarded<Node?>(nil)

  init() { Isolations.change(by: 1) }

  deinit { Isolations.change(by: -1) }

  /// The context's slot, which is made if there is none; valid while the isolation lives.
  func slot<Service>(
    _ context: Int, _ inForce: InForce<Service>?
  ) -> Unmanaged<Slot<Service>> {
    if let pointer = UnsafeRawPointer(bitPattern: head.load(ordering: .acquiring)) {
      // Valid while the isolation lives: `newest` holds the list, and a node holds its next.
      let found: Unmanaged<Slot<Service>>? = Unmanaged<Node>.fromOpaque(pointer)
        ._withUnsafeGuaranteedRef { $0.slot(context) }
      if let found { return found }
    }
    return newest.withLock { newest in
      if let found: Unmanaged<Slot<Service>> = newest?.slot(context) { return found }
      let slot = Slot<Service>(inForce)
      let node = Node(context: context, slot: slot, next: newest)
      newest = node
      head.store(
        UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque()), ordering: .releasing)
      return .passUnretained(slot)
    }
  }
}
