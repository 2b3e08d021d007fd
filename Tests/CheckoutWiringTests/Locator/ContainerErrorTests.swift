// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import CheckoutWiring
import Testing

@Suite struct `Container errors` {
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self) { try body() }
  }

  @Test func `a missing service is reported with its dependency path and location`() throws {
    let line: UInt = #line + 2
    let container = Container()
      .register(Car.self, .once) { Car(engine: try $0.resolve()) }
      .register(Garage.self) { Garage(cars: [try $0.resolve()]) }
    let error = try error { _ = try container.resolve(Garage.self) }
    guard case .missing = error.reason else { throw error }
    #expect(error.service == "Engine")
    #expect(error.askedBy == ["Garage", "Car"])
    #expect(error.place.line == line)
    #expect(error.place.fileID == #fileID)
  }

  @Test func `a failed resolve is reported with the caller's location`() throws {
    let error = try error { _ = try Container().resolve(Car.self) }
    #expect(error.askedBy == [] && error.place.line == #line - 1)
    #expect(error.place.fileID == #fileID)
  }

  @Test(arguments: ServiceLifetime.allCases)
  func `a dependency cycle is reported as a path`(lifetime: ServiceLifetime) throws {
    let container = Container()
      .register(Garage.self) { Garage(cars: [try $0.resolve()]) }
      .register(Car.self, lifetime) {
        _ = try $0.resolve(Left.self)
        return Car(engine: Motor())
      }
      .register(Left.self, lifetime) {
        _ = try $0.resolve(Right.self)
        return Left()
      }
      .register(Right.self, lifetime) {
        _ = try $0.resolve(Car.self)
        return Right()
      }
    for _ in 0..<2 {
      let error = try error { _ = try container.resolve(Garage.self) }
      guard case .cycle(let path) = error.reason else { throw error }
      #expect(path == ["Car", "Left", "Right", "Car"])
      #expect(error.askedBy == ["Garage", "Car", "Left", "Right"])
    }
  }

  @Test func `dependency cycles are detected by service name, not by type alone`()
    throws
  {
    let container = Container()
      .register(Left.self, named: "a") { try $0.resolve(Left.self, named: "b") }
      .register(Left.self, named: "b") { try $0.resolve(Left.self, named: "c") }
      .register(Left.self, named: "c") { try $0.resolve(Left.self, named: "b") }
      .register(Left.self, named: "d") { try $0.resolve(Left.self) }
      .register(Left.self) { _ in Left() }
    let error = try error { _ = try container.resolve(Left.self, named: "a") }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Left “b”", "Left “c”", "Left “b”"])
    #expect(error.askedBy == ["Left “a”", "Left “b”", "Left “c”"])
    #expect(try container.resolve(Left.self, named: "d") == Left())
    // Nor where a child asks its parent for one service within another.
    let child = Late<Container>()
    let parent = Container().register(Right.self, Right()).register(Left.self) { _ in
      _ = try child.value?.resolve(Right.self)
      return Left()
    }
    child.value = Container(parent: parent)
    defer { child.value = nil }
    #expect(try child.value?.resolve(Left.self) == Left())
  }

  @Test func `a service that needs itself is reported as a cycle`() throws {
    let container = Container().register(Left.self) { try $0.resolve(Left.self) }
    let error = try error { _ = try container.resolve(Left.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Left", "Left"])
  }

  /// A container whose factories ask it, not the resolver that they are given.
  private final class Captured: Sendable {
    private let stored = Late<Container>()

    init(_ lifetime: ServiceLifetime, _ pass: @escaping @Sendable () -> Void = {}) {
      let container = Container()
        .register(Left.self, lifetime) { [stored] _ in
          pass()
          _ = try stored.value?.resolve(Right.self)
          return Left()
        }
        .register(Right.self, lifetime) { [stored] _ in
          pass()
          _ = try stored.value?.resolve(Left.self)
          return Right()
        }
      stored.value = container
    }

    func resolve<Service: Sendable>(_ service: Service.Type) throws -> Service {
      try #require(stored.value).resolve(service)
    }

    deinit { stored.value = nil }
  }

  @Test(arguments: ServiceLifetime.allCases)
  func `a dependency cycle through a container captured by a factory is reported`(
    lifetime: ServiceLifetime
  ) throws {
    let error = try error { _ = try Captured(lifetime).resolve(Left.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Left", "Right", "Left"] && error.askedBy == ["Left", "Right"])
  }

  @Test func `a dependency cycle through a parent container that asks its child is reported`()
    throws
  {
    let child = Late<Container>()
    let parent = Container().register(Left.self) { _ in
      _ = try child.value?.resolve(Right.self)
      return Left()
    }
    let container = Container(parent: parent).register(Right.self) {
      _ = try $0.resolve(Left.self)
      return Right()
    }
    child.value = container
    defer { child.value = nil }
    let error = try error { _ = try container.resolve(Right.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Right", "Left", "Right"])
  }

  @Test
  func `a dependency cycle through a container derived from a captured container is reported`()
    throws
  {
    let stored = Late<Container>()
    let container = Container().register(Left.self) { _ in
      try #require(stored.value).register(Right.self, Right()).resolve(Left.self)
    }
    stored.value = container
    defer { stored.value = nil }
    let error = try error { _ = try container.resolve(Left.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Left", "Left"] && error.askedBy == ["Left"])
  }

  @Test func `a dependency cycle through a captured container's check() is reported`() throws {
    let stored = Late<Container>()
    let container = Container().register(Left.self) { _ in
      if let error = try #require(stored.value).check().first { throw error }
      return Left()
    }
    stored.value = container
    defer { stored.value = nil }
    let error = try error { _ = try container.resolve(Left.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Left", "Left"])
    #expect(container.check().count == 1)
  }

  /// A parent that asks its child for what it has not.
  private struct Asking: Resolver {
    let child: Late<Container>

    func resolve<Service: Sendable>(
      _ service: Service.Type, _ request: ServiceRequest
    ) throws(ResolutionError) -> Service {
      guard let child = child.value else { throw request.error(.missing, service) }
      return try child.resolve(service, request)
    }
  }

  @Test func `a child container and a parent resolver that ask each other are reported as a cycle`()
    throws
  {
    let child = Late<Container>()
    let container = Container(parent: Asking(child: child))
      .register(Car.self) { Car(engine: try $0.resolve()) }
    child.value = container
    defer { child.value = nil }
    let error = try error { _ = try container.resolve(Car.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Engine", "Engine"] && error.askedBy == ["Car"])
    let direct = #expect(throws: ResolutionError.self) { try container.resolve(Left.self) }
    guard case .cycle(["Left", "Left"])? = direct?.reason else { throw Breakdown() }
  }

  @Test func `a parent resolver that asks its child for a different service isn't a cycle`() throws
  {
    struct Parent: Resolver {
      let child: Late<Container>
      func resolve<Service: Sendable>(
        _ service: Service.Type, _ request: ServiceRequest
      ) throws(ResolutionError) -> Service {
        let motor: Motor? = try child.value?.resolve()
        guard let found = motor as? Service else { throw request.error(.missing, service) }
        return found
      }
    }
    let child = Late<Container>()
    let container = Container(parent: Parent(child: child)).register(Motor.self, Motor(power: 3))
    child.value = container
    defer { child.value = nil }
    #expect(try container.resolve((any Engine).self).power == 3)
  }

  @Test func `if several factories make one type, the error shows the first two`() throws {
    struct EngineFactory<Made: Sendable>: ServiceFactory {
      let made: Made
      func supports(_ service: Any.Type) -> Bool { service == (any Engine).self }
      func make(_ resolver: any Resolver) -> Made { made }
    }
    let line: UInt = #line + 2
    let container = Container()
      .register(EngineFactory(made: Motor()))
      .register(EngineFactory(made: Left()))
      .register(EngineFactory(made: Right()))
    let error = try error { _ = try container.resolve((any Engine).self) }
    guard case .registeredTwice(let first, let second) = error.reason else { throw error }
    #expect(first.line == line && second.line == line + 1 && error.service == "Engine")
  }

  @Test(arguments: [true, false])
  func `a dependency cycle that two threads form together is reported to both threads`(
    asksCaptured: Bool
  )
    async throws
  {
    for _ in 0..<50 {
      let gate = Gate(2)
      let pass: @Sendable () -> Void = { gate.pass() }
      let captured = Captured(.once, pass)
      let container = Container()
        .register(Left.self, .once) {
          pass()
          _ = try $0.resolve(Right.self)
          return Left()
        }
        .register(Right.self, .once) {
          pass()
          _ = try $0.resolve(Left.self)
          return Right()
        }
      async let left = Gate.onThread {
        Result {
          _ = asksCaptured ? try captured.resolve(Left.self) : try container.resolve(Left.self)
        }
      }
      async let right = Gate.onThread {
        Result {
          _ = asksCaptured ? try captured.resolve(Right.self) : try container.resolve(Right.self)
        }
      }
      for result in await [left, right] {
        guard case .failure(let error as ResolutionError) = result,
          case .cycle(let path) = error.reason
        else {
          Issue.record("no cycle: \(result)")
          continue
        }
        #expect(path.count == 3 && path.first == path.last)
      }
    }
  }

  @Test func `a task started by a factory doesn't cause a false report of a cycle`() async throws {
    let made = Counter()
    let task = Late<Task<Left, any Error>>()
    let container = Container().register(Left.self) { resolver in
      if made.next() == 1 {
        task.value = Task { try resolver.resolve(Left.self) }
      }
      return Left()
    }
    _ = try container.resolve(Left.self)
    #expect(try await task.value?.value == Left())
    #expect(made.value == 2)
  }

  @Test func `a resolve reports a factory's error as the cause, and the next resolve tries again`()
    throws
  {
    let count = Counter()
    let container = Container()
      .register((any Engine).self, .once) { _ in
        if count.next() == 1 { throw Breakdown() }
        return Motor()
      }
      .register(Car.self) { Car(engine: try $0.resolve()) }
    let error = try error { _ = try container.resolve(Car.self) }
    guard case .failed(let reason) = error.reason else { throw error }
    #expect(reason as? Breakdown == Breakdown())
    #expect(error.service == "Engine" && error.askedBy == ["Car"])
    #expect(try container.resolve(Car.self).engine.power == 90)
  }

  @Test func `a service registered twice is reported with both locations`() throws {
    let line: UInt = #line + 2
    let container = Container()
      .register((any Engine).self, Motor(power: 1))
      .register((any Engine).self, .once) { _ in Motor(power: 2) }
      .register(Car.self) { Car(engine: try $0.resolve()) }
    let error = try error { _ = try container.resolve(Car.self) }
    guard case .registeredTwice(let first, let second) = error.reason else { throw error }
    #expect(first.line == line && second.line == line + 1 && error.askedBy == ["Car"])
    #expect(error.service == "Engine")
    #expect(container.check().map(\.service) == ["Engine", "Engine"])
    let replaced = container.without((any Engine).self).register((any Engine).self, Motor(power: 3))
    #expect(try replaced.resolve(Car.self).engine.power == 3)
  }

  @Test func `a service name that isn't registered is reported`() throws {
    let container = Container().register(Motor.self, named: "front", Motor())
    for name in ["back", nil] {
      let error = try error { _ = try container.resolve(Motor.self, named: name) }
      guard case .missing = error.reason else { throw error }
      #expect(error.service == (name == nil ? "Motor" : "Motor “back”"))
    }
  }

  @Test func `a factory that claims to support a type but makes another type is reported`() throws {
    struct MotorFactory: ServiceFactory {
      func supports(_ service: Any.Type) -> Bool { service == Motor.self || service == Left.self }
      func make(_ resolver: any Resolver) -> Motor { Motor() }
    }
    let error = try error { _ = try Container().register(MotorFactory()).resolve(Left.self) }
    guard case .unkept(let made) = error.reason else { throw error }
    #expect(made == "Motor" && error.service == "Left" && error.place.line == #line - 2)
  }
}
