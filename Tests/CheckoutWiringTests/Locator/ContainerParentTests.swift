// SPDX-License-Identifier: Apache-2.0

import Ambient
import CheckoutWiring
import Testing

@Suite struct `Container parents` {
  /// A resolver of one's own, which has what a plug-in might bring.
  private struct Plugged: Resolver {
    let power: Int
    func resolve<Service: Sendable>(
      _ service: Service.Type, _ request: ServiceRequest
    ) throws(ResolutionError) -> Service {
      guard power > 0, let engine = Motor(power: power) as? Service else {
        throw request.error(.missing, service)
      }
      return engine
    }
  }

  private func cars(_ parent: any Resolver) -> Container {
    Container(parent: parent).register(Car.self) { Car(engine: try $0.resolve()) }
  }

  @Test func `a service that a child container lacks is resolved by its parent`() throws {
    let parent = Container().register((any Engine).self, Motor(power: 4))
      .register(Motor.self) { (_, power: Int) in Motor(power: power) }
      .register(Motor.self, named: "spare", Motor(power: 6))
    let container = cars(parent).register(Left.self, Left())
    #expect(try container.resolve(Car.self).engine.power == 4)
    #expect(try container.resolve(Motor.self, with: 5).power == 5)
    #expect(try container.resolve(Motor.self, named: "spare").power == 6)
    #expect(container.check().isEmpty)
  }

  @Test func `checking a child container stores no instance in its parent`() throws {
    let made = Counter()
    let parent = Container().register((any Engine).self, .once) { _ in Motor(power: made.next()) }
    #expect(cars(cars(parent)).check().isEmpty)
    #expect(made.value == 1)
    #expect(try parent.resolve((any Engine).self).power == 2)
  }

  @Test func `a child container's registration overrides the parent's only in the child`()
    throws
  {
    let parent = cars(Container()).register((any Engine).self, Motor(power: 1))
    let container = Container(parent: parent).register((any Engine).self, Motor(power: 2))
    #expect(try container.resolve((any Engine).self).power == 2)
    #expect(try container.resolve(Car.self).engine.power == 1)
  }

  @Test func `a custom resolver can be a container's parent`() throws {
    #expect(try cars(Plugged(power: 2)).resolve(Car.self).engine.power == 2)
  }

  @Test func `a service missing in the parent container is reported with the dependency path`()
    throws
  {
    for parent: any Resolver in [Plugged(power: 0), Container()] {
      let error = try #require(throws: ResolutionError.self) {
        try cars(parent).resolve(Car.self)
      }
      guard case .missing = error.reason else { throw error }
      #expect(error.service == "Engine" && error.askedBy == ["Car"])
      #expect(error.place.fileID == #fileID)
    }
  }

  @Test func `within one resolve, a child container reuses its parent's oncePerResolution service`()
    throws
  {
    let made = Counter()
    let parent = Container().register((any Engine).self, .oncePerResolution) { _ in
      Motor(power: made.next())
    }
    let container = cars(parent).register(Garage.self) {
      Garage(cars: [try $0.resolve(), try $0.resolve()])
    }
    #expect(try container.resolve(Garage.self).cars.map(\.engine.power) == [1, 1])
    #expect(try container.resolve(Garage.self).cars.map(\.engine.power) == [2, 2])
  }
}
