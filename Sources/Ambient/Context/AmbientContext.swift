public import Synchronization

/// A service that the whole program reaches without passing it along: one replaceable instance.
///
/// Declare a context as a `static let` and give it a static façade:
///
/// ```swift
/// enum Flags {
///   private static let context = AmbientContext<any FlagSource>("Flags") { NoFlags() }
///   static var instance: any FlagSource {
///     get { context.instance }
///     set { context.instance = newValue }
///   }
///   static func isOn(_ name: String) -> Bool { context.withService { $0.isOn(name) } }
/// }
/// ```
///
/// A read finds the innermost scope that binds this context, else the process's instance, else
/// the default, which the first read installs. An assignment goes to the same place.
///
/// Every member may be used from any thread. A read outside any scope is two loads; a read in a
/// scope costs a look-up of a task-local value. Instances are kept alive when they are replaced,
/// so that a call that is under way on another thread stays valid: by the process for good, by a
/// scope until its last task ends. Use it for universal concerns only: a dependency that decides
/// what a type does belongs in its initializer.
public struct AmbientContext<Service: Sendable>: ~Copyable, Sendable {
  /// The process's `Installed` as a bit pattern; zero until one is installed.
  @usableFromInline let installed = Atomic<UInt>(0)
  /// The number by which scopes know this context; zero until it is first used.
  @usableFromInline let number = Atomic<Int>(0)
  @usableFromInline let name: StaticString
  @usableFromInline let makeDefault: @Sendable () -> Service
  /// Whether strict mode stops at the use of the default.
  @usableFromInline let defaultIsMistake: Bool
  @usableFromInline let inForce: InForce<Service>?

  /// Declares a context; nothing runs until it is first used.
  ///
  /// - Parameters:
  ///   - name: What reports call it, as `Log` in `Log.instance`.
  ///   - makeDefault: Makes the service of those who never assign one. It may run more than once
  ///     when first reads race (one result is used), and must not read this context.
  @inlinable @inline(__always)
  public init(_ name: StaticString, default makeDefault: @escaping @Sendable () -> Service) {
    self.init(name, defaultIsMistake: true, default: makeDefault, inForce: nil)
  }

  /// Declares a context whose default may be as good as any, in strict mode too, and which may
  /// tell where its services are in force.
  @usableFromInline @inline(__always)
  init(
    _ name: StaticString, defaultIsMistake: Bool = true,
    default makeDefault: @escaping @Sendable () -> Service, inForce: InForce<Service>? = nil
  ) {
    self.name = name
    self.defaultIsMistake = defaultIsMistake
    self.makeDefault = makeDefault
    self.inForce = inForce
  }

  /// The service in force here.
  ///
  /// Reading hands out a reference; a façade that only calls the service scales better with
  /// threads through ``withService(_:)``. Assigning the process's instance after it was read is
  /// honoured and reported once to ``Diagnostics``; in strict mode it stops the program. The
  /// replaced service is flushed if it is an ``AmbientService``.
  @inlinable public var instance: Service {
    get { withService { $0 } }
    nonmutating set { assign(newValue) }
  }

  /// Calls `body` with the service in force here, without counting a reference to it.
  @inlinable @inline(__always)
  public func withService<R>(_ body: (Service) -> R) -> R {
    // Two calls of `body`, so that the usual way has no jump in it.
    if let plain { return plain._withUnsafeGuaranteedRef { body($0.service) } }
    return heldElsewhere()._withUnsafeGuaranteedRef { body($0.service) }
  }

  /// What holds the service in force here: valid for ever if it is the process's, else for as long
  /// as the caller stays in the scope.
  @inline(__always)
  var held: Unmanaged<Installed<Service>> { plain ?? heldElsewhere() }

  /// What holds the process's service, if nobody needs another look.
  @inlinable @inline(__always)
  var plain: Unmanaged<Installed<Service>>? {
    let word = installed.load(ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: word) else { return nil }
    // Valid for ever: the process's entry keeps each `Installed` that was ever published here.
    let held = Unmanaged<Installed<Service>>.fromOpaque(pointer)
    return held._withUnsafeGuaranteedRef(\.isPlain) ? held : nil
  }

  /// Runs `body` with `service` bound for this task and those that it starts.
  ///
  /// Inlined into the façades here, where the compiler knows the service: looking up the types of
  /// generic code at run time would cost as much as the rest.
  @inline(__always)
  public func withInstance<R, E: Error>(
    _ service: Service, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(bind(service)) { () throws(E) in try body() }
  }

  /// Runs `body` with `service` bound for this task and those that it starts.
  @inline(__always)
  public func withInstance<R, E: Error>(
    _ service: Service, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(bind(service), body)
  }

  /// What was assigned for here, if anything was: it makes no default and is no first read.
  @inline(__always)
  var assigned: Service? {
    let number = number.load(ordering: .acquiring)
    return number == 0 ? nil : assigned(number)
  }

  @inline(never)
  private func assigned(_ number: Int) -> Service? {
    if let slot: Unmanaged<Slot<Service>> = Bindings.slot(number, inForce) {
      return slot._withUnsafeGuaranteedRef(\.service)
    }
    return UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)).map {
      // Valid for ever: the process's entry keeps each `Installed` that was ever published here.
      Unmanaged<Installed<Service>>.fromOpaque($0)._withUnsafeGuaranteedRef(\.service)
    }
  }

  @usableFromInline @inline(never)
  func heldElsewhere() -> Unmanaged<Installed<Service>> {
    if let slot: Unmanaged<Slot<Service>> = Bindings.slot(contextNumber, inForce) {
      return slot._withUnsafeGuaranteedRef { $0.held(makeDefault) }
    }
    if let pointer = UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)) {
      // Valid for ever: the process's entry keeps each `Installed` that was ever published here.
      let held = Unmanaged<Installed<Service>>.fromOpaque(pointer)
      if !held._withUnsafeGuaranteedRef(\.isUnread) { return held }
    }
    // Valid for ever: the process's entry keeps it.
    return .passUnretained(entry.read(installed, makeDefault))
  }

  @usableFromInline func assign(_ service: Service) {
    if let slot: Unmanaged<Slot<Service>> = Bindings.slot(contextNumber, inForce) {
      slot._withUnsafeGuaranteedRef { $0.assign(service) }
    } else {
      entry.assign(service, installed)
    }
  }

  private func bind(_ service: Service) -> Bindings {
    let slot = Slot<Service>(inForce)
    slot.assign(service)
    entry.noteScope()
    return Bindings(context: contextNumber, slot: slot)
  }

  private var contextNumber: Int {
    let known = number.load(ordering: .acquiring)
    if known != 0 { return known }
    return Registry.register(number) {
      ProcessEntry<Service>(name: name, defaultIsMistake: defaultIsMistake, inForce)
    }
  }

  private var entry: ProcessEntry<Service> {
    // Valid because the number was given to the entry that this very context made.
    unsafeDowncast(Registry.entry(contextNumber), to: ProcessEntry<Service>.self)
  }
}

/// Told by how many the places grow where `service` is in force: the process, or a scope's slot.
///
/// It hears of a new service before any reader can find it, and of the end of the one that was
/// replaced after that. A `nil` service is the default that the process has not made yet: it counts
/// from launch, with no call. Called without a lock, on any thread.
@usableFromInline
typealias InForce<Service> = @Sendable (_ service: Service?, _ change: Int) -> Void
