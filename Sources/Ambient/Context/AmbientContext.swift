// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A service with one replaceable instance, which the whole program can reach without passing it
/// along.
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
/// A read returns the current service: the service of the innermost scope that binds this context,
/// or the process's instance if there is no such scope. If the process has no instance, the first
/// read installs the default. An assignment replaces the service that a read would return: the
/// scope's service, or the process's instance if there is no such scope.
///
/// Every member may be used from any thread. While no scope is alive, a read is three loads; in a
/// scope it costs a look-up of a task-local value. A replaced instance stays alive, because another
/// thread may still be calling it. The process retains its instances for ever. A scope retains its
/// instances until its last task has ended and no captured ``AmbientScope`` contains it. Use
/// contexts for universal concerns only: a dependency that decides what a type does belongs in its
/// initializer.
public struct AmbientContext<Service: Sendable>: ~Copyable, Sendable {
  /// The `ProcessSlot` as a bit pattern; zero until the context is first used.
  @usableFromInline let word = Atomic<UInt>(0)
  @usableFromInline let name: StaticString
  @usableFromInline let makeDefault: @Sendable () -> Service
  /// Whether strict mode stops the program when the default is used.
  @usableFromInline let defaultIsMistake: Bool
  @usableFromInline let onInstallation: InstallationObserver?

  /// Declares a context; nothing runs until it is first used.
  ///
  /// - Parameters:
  ///   - name: The name in reports, such as `Log` for `Log.instance`.
  ///   - makeDefault: Makes the service that is used until one is assigned: once in the process,
  ///     and once in each isolating scope that reads the context. It may run more often when first
  ///     reads race (one result is used). If it reads this context, the program stops.
  @inlinable @inline(__always)
  public init(_ name: StaticString, default makeDefault: @escaping @Sendable () -> Service) {
    self.init(name, defaultIsMistake: true, default: makeDefault)
  }

  /// Declares a context of this package.
  ///
  /// - Parameters:
  ///   - defaultIsMistake: Whether strict mode stops the program when the default is used.
  ///   - onInstallation: Called when a service is installed in, or removed from, the process or a
  ///     scope.
  @usableFromInline @inline(__always)
  init(
    _ name: StaticString, defaultIsMistake: Bool = true,
    default makeDefault: @escaping @Sendable () -> Service,
    onInstallation: InstallationObserver? = nil
  ) {
    self.name = name
    self.defaultIsMistake = defaultIsMistake
    self.makeDefault = makeDefault
    self.onInstallation = onInstallation
  }

  /// The current service, from the innermost scope that binds this context or from the process.
  ///
  /// Each read retains the service. If no service was assigned, the first read installs the
  /// default; in strict mode (``AmbientScope/isStrict``), it stops the program instead, unless an
  /// isolating scope is current. A façade that only calls the service scales better with threads
  /// through `withService(_:)`, which does not retain the service. If the process's instance is
  /// assigned after its first read, the assignment takes effect, and is reported once to
  /// ``Diagnostics``; in strict mode, it stops the program. The replaced service is flushed if it
  /// is an ``AmbientService`` that is no longer installed in the process or in any scope.
  @inlinable public var instance: Service {
    get { withService { $0 } }
    @inline(__always)
    nonmutating set {
      // The setter is inlined into the assigning function, so that the frame of that function is on
      // the stack when `assign` captures its callers. The branch after the call of `assign`
      // prevents a tail call, which would drop the frame.
      if let late = assign(newValue) { late.report() }
    }
  }

  /// Calls `body` with the current service, without retaining the service.
  ///
  /// - Parameter body: Calls the service; must not store it, or assign this context. If it does,
  ///   the behavior is undefined.
  @inlinable @inline(__always)
  public func withService<R>(_ body: (Service) -> R) -> R {
    // `body` is called in two places, so that the fast path (`plain`) has no jump.
    if let plain { return Self.with(plain, body) }
    return Self.with(found(), body)
  }

  /// Runs `body` in a scope that binds this context to `service`, for this task and the tasks that
  /// `body` starts.
  ///
  /// A detached task does not belong to the scope; see ``AmbientScope``.
  ///
  /// All generic code of this type is inlinable, because looking up generic types at run time would
  /// double the cost of a call. `Bindings.enter`, which is not generic, enters the scope. The
  /// closure that `Bindings.with` passes to `enter` stores the result or the error of `body`.
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

  /// Runs `body` in a scope that binds this context to `service`, for this task and the tasks that
  /// `body` starts.
  ///
  /// A detached task does not belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - service: The service that a read of this context returns in the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public func withInstance<R, E: Error>(
    _ service: Service, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(service), body)
  }
}

extension AmbientContext where Service: AnyObject {
  /// Calls `body` with the current service, without retaining the service.
  ///
  /// This overload exists because the compiler omits the retain only if `Service` is constrained to
  /// classes.
  ///
  /// - Parameter body: Calls the service; must not store it, or assign this context. If it does,
  ///   the behavior is undefined.
  @inlinable @inline(__always)
  public func withService<R>(_ body: (Service) -> R) -> R {
    if let plain { return Self.with(plain, body) }
    return Self.with(found(), body)
  }

  /// Like `withService`, but calls `body` in one place only, so that a long body is inlined only
  /// once.
  @inline(__always)
  func withServiceOnce<R>(_ body: (Service) -> R) -> R { Self.with(plain ?? found(), body) }

  @inlinable @inline(__always)
  static func with<R>(_ object: UInt, _ body: (Service) -> R) -> R {
    // Valid: callers pass the current service, which outlives the call, and `erased` returned it
    // as an object of the class `Service`.
    Unmanaged<Service>.fromOpaque(pointer(object))._withUnsafeGuaranteedRef { body($0) }
  }
}

extension AmbientContext {
  /// The process's service, if no scope is alive and the service's first read is already recorded;
  /// otherwise nil.
  @inlinable @inline(__always)
  var plain: UInt? {
    guard let pointer = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    // The pointer is valid for ever, because `ContextRegistry` keeps every entry. There are two
    // closures of one load each, because the compiler would retain the entry for a closure of two
    // loads.
    let entry = Unmanaged<ProcessSlot>.fromOpaque(pointer)
    guard entry._withUnsafeGuaranteedRef(\.isPlain) else { return nil }
    return entry._withUnsafeGuaranteedRef(\.object)
  }

  /// Returns the current service as a bit pattern; installs the default if there is no service.
  ///
  /// The process's service is valid for ever; a scope's service is valid while the caller stays in
  /// the scope.
  @inlinable @inline(never)
  func found() -> UInt { entry._withUnsafeGuaranteedRef { $0.find() } }

  /// Returns the caller's bindings, with this context bound to `service`.
  ///
  /// - Parameters:
  ///   - service: The service that a read of this context returns in the scope.
  ///   - second: The entry of a context that the scope binds, too. That context keeps the service
  ///     that it has around the scope, but an assignment to it ends with the scope.
  @inlinable @inline(__always)
  func binding(_ service: Service, with second: Unmanaged<ProcessSlot>? = nil) -> Bindings {
    entry._withUnsafeGuaranteedRef { $0.bind(Self.erased(service), with: second) }
  }

  /// Replaces the service that a read would find. If a late assignment is returned, the caller
  /// reports it.
  @inlinable @inline(never)
  func assign(_ service: Service) -> LateAssignment? {
    entry._withUnsafeGuaranteedRef { $0.assign(Self.erased(service)) }
  }

  /// The current service, or nil if none is assigned. Reading it makes no default, and is not
  /// recorded as the first read.
  @inline(__always)
  package var assigned: Service? {
    guard let pointer = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    // The pointer is valid for ever, because `ContextRegistry` keeps every entry. As in `plain`,
    // the usual way has closures of one load each, so that the entry is not retained.
    let entry = Unmanaged<ProcessSlot>.fromOpaque(pointer)
    let object =
      entry._withUnsafeGuaranteedRef(\.mayBeBound)
      ? entry._withUnsafeGuaranteedRef(\.assigned) : entry._withUnsafeGuaranteedRef(\.object)
    return object == 0 ? nil : Self.with(object) { $0 }
  }

  /// The context's `ProcessSlot`, which is made at the first use, and is valid for ever, because
  /// `ContextRegistry` keeps it.
  @inlinable var entry: Unmanaged<ProcessSlot> {
    if let pointer = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) {
      return .fromOpaque(pointer)
    }
    return ContextRegistry.register(
      word,
      ProcessSlot(
        name, defaultIsMistake: defaultIsMistake, onInstallation: onInstallation,
        default: { [makeDefault] in Self.erased(makeDefault()) }))
  }

  /// True if `Service` is a class. A value of any other type is stored in a `ServiceBox`.
  @inlinable @inline(__always)
  static var isObject: Bool { Service.self is AnyObject.Type }

  /// `object` as a pointer. It is never zero, because callers check for a missing object.
  @inlinable @inline(__always)
  static func pointer(_ object: UInt) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: object).unsafelyUnwrapped
  }

  /// Calls `body` with the service at the address `object`. If `Service` is not a class, the object
  /// at this address is the `ServiceBox` that contains the service.
  @inlinable @inline(__always)
  static func with<R>(_ object: UInt, _ body: (Service) -> R) -> R {
    // The casts are valid: callers pass the object of the current service, and this object outlives
    // the call. `erased` made the object: if `isObject` is true, it is the service itself, and
    // otherwise a `ServiceBox` that contains the service.
    if isObject {
      return Unmanaged<AnyObject>.fromOpaque(pointer(object))._withUnsafeGuaranteedRef {
        body(unsafeBitCast($0, to: Service.self))
      }
    }
    return Unmanaged<ServiceBox<Service>>.fromOpaque(pointer(object))._withUnsafeGuaranteedRef {
      body($0.service)
    }
  }

  /// The object that represents the service, and the type of the service.
  @inlinable @inline(__always)
  static func erased(_ service: Service) -> ProcessSlot.Erased {
    if isObject {
      // Valid: `isObject` means that `Service` is a class, and every `Service` is `Sendable`.
      let object = unsafeBitCast(service, to: (any AnyObject & Sendable).self)
      return (object, type(of: object))
    }
    return (ServiceBox(service), type(of: service as Any))
  }
}
