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
  }

  /// The newest node as a bit pattern; zero for none.
  private let head = Atomic<UInt>(0)
  private let newest = Guarded<Node?>(nil)

  func slot<Service>(_ context: Int) -> Slot<Service> {
    if let pointer = UnsafeRawPointer(bitPattern: head.load(ordering: .acquiring)) {
      // Valid while the isolation lives: `newest` holds the list, and a node holds its next.
      let found = Unmanaged<Node>.fromOpaque(pointer)
        ._withUnsafeGuaranteedRef { Self.find(context, from: $0) }
      if let found { return unsafeDowncast(found, to: Slot<Service>.self) }
    }
    let slot = newest.withLock { newest in
      if let newest, let found = Self.find(context, from: newest) { return found }
      let node = Node(context: context, slot: Slot<Service>(), next: newest)
      newest = node
      head.store(
        UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque()), ordering: .releasing)
      return node.slot
    }
    // Valid because numbers are unique: only the context with this number makes such slots.
    return unsafeDowncast(slot, to: Slot<Service>.self)
  }

  private static func find(_ context: Int, from node: Node) -> (any AnyObject & Sendable)? {
    var next: Node? = node
    while let node = next {
      if node.context == context { return node.slot }
      next = node.next
    }
    return nil
  }
}
