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
/// A read finds the innermost scope that binds this context, else the process's instance, else the
/// default, which the first read installs. An assignment goes to the place that a read would find.
///
/// Every member may be used from any thread. While no scope is alive, a read is three loads; in a
/// scope it costs a look-up of a task-local value. Instances are kept alive when they are replaced,
/// so that a call that is under way on another thread stays valid: by the process for good, by a
/// scope until its last task ends. Use it for universal concerns only: a dependency that decides
/// what a type does belongs in its initializer.
public struct AmbientContext<Service: Sendable>: ~Copyable, Sendable {
  /// The `ProcessSlot` as a bit pattern; zero until the context is first used.
  @usableFromInline let word = Atomic<UInt>(0)
  @usableFromInline let name: StaticString
  @usableFromInline let makeDefault: @Sendable () -> Service
  /// Strict mode stops the program when the default is used.
  @usableFromInline let defaultIsMistake: Bool
  @usableFromInline let inForce: InForce?
  /// Another context: an assignment to this one ends with the host's scope.
  @usableFromInline let host: (@Sendable () -> Unmanaged<ProcessSlot>)?

  /// Declares a context; nothing runs until it is first used.
  ///
  /// - Parameters:
  ///   - name: The name in reports, as `Log` for `Log.instance`.
  ///   - makeDefault: Makes the service that is used until one is assigned. It may run more than
  ///     once when first reads race (one result is used), and must not read this context.
  @inlinable @inline(__always)
  public init(_ name: StaticString, default makeDefault: @escaping @Sendable () -> Service) {
    self.init(name, defaultIsMistake: true, default: makeDefault)
  }

  /// Declares a context of this package.
  ///
  /// - Parameters:
  ///   - defaultIsMistake: Whether strict mode stops at the use of the default.
  ///   - inForce: Called when a service gains or loses a place.
  ///   - host: Another context, whose innermost scope ends assignments to this one.
  @usableFromInline @inline(__always)
  init(
    _ name: StaticString, defaultIsMistake: Bool = true,
    default makeDefault: @escaping @Sendable () -> Service, inForce: InForce? = nil,
    host: (@Sendable () -> Unmanaged<ProcessSlot>)? = nil
  ) {
    self.name = name
    self.defaultIsMistake = defaultIsMistake
    self.makeDefault = makeDefault
    self.inForce = inForce
    self.host = host
  }

  /// The service in force here.
  ///
  /// Reading hands out a reference; a façade that only calls the service scales better with
  /// threads through `withService(_:)`. Assigning the process's instance after it was read is
  /// honoured and reported once to ``Diagnostics``; in strict mode it stops the program. The
  /// replaced service is flushed if it is an ``AmbientService`` that is in force nowhere else.
  @inlinable public var instance: Service {
    get { withService { $0 } }
    @inline(__always)
    nonmutating set {
      // Inlined into the assigning function, with a branch after the call: a tail call would drop
      // the frame from which a report takes the place.
      if let late = assign(newValue) { late.report() }
    }
  }

  /// Assigns a new default to the place that a read would find.
  ///
  /// A late assignment is reported, and the replaced service is flushed if it is in force nowhere
  /// else.
  @inlinable @inline(__always)
  public func resetToDefault() {
    if let late = assignDefault() { late.report() }
  }

  /// Calls `body` with the service in force here, without counting a reference to it.
  ///
  /// - Parameter body: Calls the service; must not keep it, or assign this context.
  @inlinable @inline(__always)
  public func withService<R>(_ body: (Service) -> R) -> R {
    // `body` is called in two places, so that the plain path has no jump.
    if let plain { return Self.with(plain, body) }
    return Self.with(found(), body)
  }

  /// Runs `body` with `service` bound for this task and those that it starts.
  ///
  /// Inlinable, like all generic code here: looking up types at run time would double the cost. The
  /// non-generic part does the work; result and error are carried around it.
  ///
  /// - Parameters:
  ///   - service: The service that a read of this context returns in the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public func withInstance<R, E: Error>(
    _ service: Service, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(service), body)
  }

  /// Runs `body` with `service` bound for this task and those that it starts.
  ///
  /// - Parameters:
  ///   - service: The service that a read of this context returns in the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public func withInstance<R, E: Error>(
    _ service: Service, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(service), body)
  }
}

extension AmbientContext where Service: AnyObject {
  /// Calls `body` with the object in force here, without counting a reference to it.
  ///
  /// Overload for classes: only with a class constraint does the compiler leave out the count.
  ///
  /// - Parameter body: Calls the service; must not keep it, or assign this context.
  @inlinable @inline(__always)
  public func withService<R>(_ body: (Service) -> R) -> R {
    if let plain { return Self.with(plain, body) }
    return Self.with(found(), body)
  }

  /// Like `withService`, but calls `body` in one place, for a long body that is inlined.
  @inline(__always)
  func withServiceOnce<R>(_ body: (Service) -> R) -> R { Self.with(plain ?? found(), body) }

  @inlinable @inline(__always)
  static func with<R>(_ object: UInt, _ body: (Service) -> R) -> R {
    // Valid by the caller's contract; of type `Service`, since `assignment` stored it.
    Unmanaged<Service>.fromOpaque(pointer(object))._withUnsafeGuaranteedRef { body($0) }
  }
}

extension AmbientContext {
  /// The process's service, if no scope is alive and the service's first read is already recorded;
  /// else nil.
  @inlinable @inline(__always)
  var plain: UInt? {
    guard let pointer = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    // Valid for ever: the registry keeps every entry. Two borrows of one load each: for
    // two loads in one closure, the compiler counts a reference.
    let entry = Unmanaged<ProcessSlot>.fromOpaque(pointer)
    guard entry._withUnsafeGuaranteedRef(\.isPlain) else { return nil }
    return entry._withUnsafeGuaranteedRef(\.object)
  }

  /// The service in force here.
  ///
  /// The process's service is valid for ever; a scope's, while the caller stays in the scope.
  @inlinable @inline(never)
  func found() -> UInt {
    entry._withUnsafeGuaranteedRef { entry in
      entry.find { assignment(makeDefault(), entry) }
    }
  }

  /// The bindings here, with this context bound to `service`.
  @inlinable @inline(__always)
  func binding(_ service: Service) -> Bindings {
    entry._withUnsafeGuaranteedRef { $0.bind(assignment(service, $0), in: Bindings.current) }
  }

  /// Assigns where a read would look; the caller reports the returned late assignment.
  @inlinable @inline(never)
  func assign(_ service: Service) -> LateAssignment? {
    entry._withUnsafeGuaranteedRef { $0.assign(assignment(service, $0)) }
  }

  /// Assigns a new default where a read would look; the caller reports the returned late
  /// assignment.
  @inlinable @inline(never)
  func assignDefault() -> LateAssignment? {
    entry._withUnsafeGuaranteedRef { entry in
      entry.assignDefault { assignment(makeDefault(), entry) }
    }
  }

  /// The assigned service in force here, or nil; makes no default and records no first read.
  @inline(__always)
  var assigned: Service? {
    guard let pointer = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    // Valid for ever: the registry keeps every entry.
    let object = Unmanaged<ProcessSlot>.fromOpaque(pointer)._withUnsafeGuaranteedRef(\.assigned)
    return object == 0 ? nil : Self.with(object) { $0 }
  }

  /// The process's side of the context, made at the first use; valid for ever, kept by the
  /// registry.
  @inlinable var entry: Unmanaged<ProcessSlot> {
    if let pointer = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) {
      return .fromOpaque(pointer)
    }
    return ContextRegistry.register(
      word,
      ProcessSlot(name, defaultIsMistake: defaultIsMistake, inForce: inForce, host: host?()))
  }

  /// True if `Service` is a class; a value of another type is boxed.
  @inlinable @inline(__always)
  static var isObject: Bool { Service.self is AnyObject.Type }

  /// Never zero: callers have checked for the missing object.
  @inlinable @inline(__always)
  static func pointer(_ object: UInt) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: object).unsafelyUnwrapped
  }

  /// Calls `body` with the service: `object` itself, or the content of its box.
  @inlinable @inline(__always)
  static func with<R>(_ object: UInt, _ body: (Service) -> R) -> R {
    // Valid by the caller's contract; of this type, since `assignment` stored it.
    if isObject {
      return Unmanaged<AnyObject>.fromOpaque(pointer(object))._withUnsafeGuaranteedRef {
        body(unsafeBitCast($0, to: Service.self))
      }
    }
    return Unmanaged<ServiceBox<Service>>.fromOpaque(pointer(object))._withUnsafeGuaranteedRef {
      body($0.service)
    }
  }

  @inlinable @inline(__always)
  func assignment(_ service: Service, _ entry: ProcessSlot) -> AnyService {
    if Self.isObject {
      // Sendable because `Service` is.
      let object = unsafeBitCast(service, to: (any AnyObject & Sendable).self)
      return entry.assignment(object, of: type(of: object))
    }
    return entry.assignment(ServiceBox(service), of: type(of: service as Any))
  }
}
