// SPDX-License-Identifier: Apache-2.0

import Checkout
import CheckoutWiring
import Testing

@Suite struct `Container lifetimes` {
  let made = Counter()

  private func container(_ lifetime: ServiceLifetime) -> Container {
    Container()
      .register((any Engine).self, lifetime) { [made] _ in Motor(power: made.next()) }
      .register(Car.self) { Car(engine: try $0.resolve()) }
      .register(Garage.self) { Garage(cars: [try $0.resolve(), try $0.resolve()]) }
  }

  @Test func `a registered instance is shared by every resolve`() throws {
    let motor = Motor()
    let container = Container().register((any Engine).self, motor)
    #expect(try container.resolve((any Engine).self) as? Motor === motor)
    #expect(try container.resolve((any Engine).self) as? Motor === motor)
  }

  @Test func `an eachTime service is created on each request`() throws {
    let garage = try container(.eachTime).resolve(Garage.self)
    #expect(garage.cars.map(\.engine.power) == [1, 2])
  }

  @Test func `a once service is created once and shared by all resolves`() throws {
    let container = container(.once)
    #expect(made.value == 0)
    let garages = [try container.resolve(Garage.self), try container.resolve(Garage.self)]
    #expect(garages.flatMap { $0.cars.map(\.engine.power) } == [1, 1, 1, 1])
    #expect(garages[0].cars[0] !== garages[0].cars[1])
  }

  @Test func `a oncePerResolution service is shared only within one resolve`() throws {
    let container = container(.oncePerResolution)
    #expect(try container.resolve(Garage.self).cars.map(\.engine.power) == [1, 1])
    #expect(try container.resolve(Garage.self).cars.map(\.engine.power) == [2, 2])
    #expect(try container.resolve((any Engine).self).power == 3)
  }

  @Test func `containers created in a factory share no oncePerResolution service`() throws {
    let outer = Container().register([Int].self) { [made] _ in
      try (0..<6).map { _ in
        try Container()
          .register((any Engine).self, .oncePerResolution) { _ in Motor(power: made.next()) }
          .resolve((any Engine).self).power
      }
    }
    #expect(try outer.resolve([Int].self) == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: ServiceLifetime.allCases)
  func `a service is released with its container or its registration`(lifetime: ServiceLifetime)
    throws
  {
    weak var motor: Motor?
    weak var first: Motor?
    do {
      var container = Container().register(Motor.self, lifetime) { _ in Motor() }
        .register(Car.self) { Car(engine: try $0.resolve(Motor.self)) }
      first = try container.resolve(Car.self).engine as? Motor
      #expect((first != nil) == (lifetime == .once))
      container = container.without(Motor.self).register(Motor.self, lifetime) { _ in Motor() }
      #expect(first == nil)
      motor = try container.resolve(Motor.self)
      #expect((motor != nil) == (lifetime == .once))
      withExtendedLifetime(container) {}
    }
    #expect(motor == nil)
  }

  @Test func `a derived container creates its own once services`() throws {
    let base = container(.once)
    let engine = try base.resolve((any Engine).self).power
    let derived = base.register(Left.self, Left())
    #expect(try derived.resolve((any Engine).self).power == engine + 1)
    #expect(try base.resolve((any Engine).self).power == engine)
  }

  @Test
  func `a thousand concurrent resolves of a service registered as once get the same instance`()
    async throws
  {
    let container = container(.once)
    let powers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1_000 {
        group.addTask { try container.resolve(Garage.self).cars[1].engine.power }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    // Several may have been made; the first that was ready is the one of all.
    #expect(powers.count == 1)
    #expect(try container.resolve((any Engine).self).power == powers.first)
  }

  @Test func `two threads that both create a service registered as once share one instance`()
    async throws
  {
    let gate = Gate(2)
    let container = Container().register(Motor.self, .once) { [made] _ in
      gate.pass()
      return Motor(power: made.next())
    }
    async let left = Gate.onThread { try? container.resolve(Motor.self) }
    async let right = Gate.onThread { try? container.resolve(Motor.self) }
    let motors = await [left, right]
    #expect(made.value == 2)
    #expect(motors[0] != nil && motors[0] === motors[1])
    #expect(try container.resolve(Motor.self) === motors[0])
  }
}
