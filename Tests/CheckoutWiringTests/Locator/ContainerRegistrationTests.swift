// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import CheckoutWiring
import Testing

@Suite struct `Container registrations` {
  @Test func `registering a service returns a new container and leaves the original unchanged`()
    throws
  {
    let base = Container().register(Motor.self, Motor(power: 1))
    let other = base.without(Motor.self).register(Motor.self, Motor(power: 2))
    #expect(try base.resolve(Motor.self).power == 1)
    #expect(try other.resolve(Motor.self).power == 2)
    #expect(throws: ResolutionError.self) { try base.without(Motor.self).resolve(Motor.self) }
  }

  @Test func `service names distinguish two registrations of one type`() throws {
    let container = Container()
      .register((any Engine).self, Motor(power: 1))
      .register((any Engine).self, named: "spare", .once) { _ in Motor(power: 2) }
      .register(Motor.self, named: "any") { (_, power: Int) in Motor(power: power) }
      .register(Car.self) { Car(engine: try $0.resolve(named: "spare")) }
    #expect(try container.resolve((any Engine).self).power == 1)
    #expect(try container.resolve(Car.self).engine.power == 2)
    #expect(try container.resolve(Motor.self, named: "any", with: 3).power == 3)
    let without = container.without((any Engine).self, named: "spare")
    #expect(try without.resolve((any Engine).self).power == 1)
    #expect(without.check().map(\.service) == ["Engine “spare”"])
  }

  @Test func `resolving an optional type finds the registration of its wrapped type`() throws {
    let container = Container()
      .register((any Engine).self, Motor(power: 7))
      .register(Motor.self) { (_, power: Int) in Motor(power: power) }
      .register(Car.self) { resolution in
        let engine: (any Engine)? = try resolution.resolve()
        return Car(engine: try #require(engine))
      }
    if let engine: any Engine = try? container.resolve() {
      #expect(engine.power == 7)
    } else {
      Issue.record("nil for a service that is registered")
    }
    let motor: Motor? = try? container.resolve(with: 3)
    #expect(motor?.power == 3)
    #expect(try container.resolve(Car.self).engine.power == 7)
    let nothing: Left? = try? container.resolve()
    #expect(nothing == nil)
    let optional = container.register((Left?).self, Left())
    #expect(try optional.resolve((Left?).self) != nil)
    let error = #expect(throws: ResolutionError.self) { let _: Left? = try container.resolve() }
    #expect(error?.service == "Left")
  }

  @Test func `a registered optional type is resolved by its own factory`() throws {
    let container = Container()
      .register(Motor.self, Motor(power: 1))
      .register((Motor?).self) { (_, power: Int) in power > 0 ? Motor(power: power) : nil }
      .register((Left?).self) { _ in throw Breakdown() }
      .register((Right?).self) { try $0.resolve((Right?).self) }
    #expect(try container.resolve((Motor?).self, with: 3)?.power == 3)
    #expect(try container.resolve((Motor?).self, with: 0) == nil)
    #expect(try container.resolve(Motor.self).power == 1)
    let failed = #expect(throws: ResolutionError.self) { try container.resolve((Left?).self) }
    guard case .failed(let reason)? = failed?.reason else { throw Breakdown() }
    #expect(reason is Breakdown)
    let circle = #expect(throws: ResolutionError.self) { try container.resolve((Right?).self) }
    guard case .cycle? = circle?.reason else { throw Breakdown() }
  }

  /// Says what it supports: a class, and the protocol by which it is asked for.
  private struct MotorFactory: ServiceFactory {
    let power: Int
    func supports(_ service: Any.Type) -> Bool {
      service == Motor.self || service == (any Engine).self
    }
    func make(_ resolver: any Resolver) throws -> Motor { Motor(power: power) }
  }

  @Test func `a once factory shares one service across all types it supports`() throws {
    let container = Container().register(MotorFactory(power: 7), .once)
      .register(Car.self) { Car(engine: try $0.resolve()) }
    let motor = try container.resolve(Motor.self)
    #expect(motor.power == 7)
    #expect(try container.resolve((any Engine).self) as? Motor === motor)
    #expect(try container.resolve(Car.self).engine as? Motor === motor)
  }

  @Test func `a type's own registration takes precedence over a factory that supports the type`()
    throws
  {
    let container = Container().register(MotorFactory(power: 7))
      .register((any Engine).self, Motor(power: 1))
    #expect(try container.resolve((any Engine).self).power == 1)
    #expect(try container.resolve(Motor.self).power == 7)
  }

  @Test func `factories of several types can be registered from one list`() throws {
    let factories = [
      AnyServiceFactory(MotorFactory(power: 7)),
      AnyServiceFactory(BasicServiceFactory { Car(engine: try $0.resolve()) }),
      AnyServiceFactory(AnyServiceFactory(BasicServiceFactory(Left.self) { _ in Left() })),
    ]
    let container = factories.reduce(Container()) { $0.register($1) }
    #expect(try container.resolve(Car.self).engine.power == 7)
    #expect(try container.resolve(Left.self) == Left())
    #expect(factories.map { "\($0.service)" } == ["Motor", "Car", "Left"])
  }

  @Test func `a container finds each of a thousand named registrations`() throws {
    let container = (0..<1_000).reduce(Container()) {
      $0.register(Int.self, named: "\($1)", $1)
    }
    for number in 0..<1_000 {
      #expect(try container.resolve(Int.self, named: "\(number)") == number)
    }
    #expect(throws: ResolutionError.self) { try container.resolve(Int.self, named: "1000") }
  }

  @Test func `Container.check() reports each service that cannot be resolved`() {
    let container = Container()
      .register(Car.self, .once) { Car(engine: try $0.resolve()) }
      .register(Left.self) { _ in throw Breakdown() }
      .register(Right.self, Right())
      .register(Garage.self) { (_, cars: [Car]) in Garage(cars: cars) }
    #expect(container.check().map(\.service) == ["Engine", "Left"])
    #expect(container.register((any Engine).self, Motor()).check().map(\.service) == ["Left"])
  }
}
