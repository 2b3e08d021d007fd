import Checkout
import CheckoutWiring
import Testing

@Suite struct `A replaced service` {
  let made = Counter()

  private func container(_ scope: ServiceScope = .once) -> Container {
    Container()
      .register((any Engine).self, Motor(power: 1))
      .register(Car.self, scope) { [made] in
        made.next()
        return Car(engine: try $0.resolve())
      }
      .register(Garage.self, .once) { Garage(cars: [try $0.resolve()]) }
      .register(Left.self, .once) { [made] _ in
        made.next()
        return Left()
      }
  }

  @Test(arguments: ServiceScope.allCases)
  func `reaches those who ask again, through all that was made with it`(
    scope: ServiceScope
  ) throws {
    let container = container(scope)
    let old = try container.resolve(Garage.self)
    try container.replace((any Engine).self, with: Motor(power: 2))
    #expect(try container.resolve((any Engine).self).power == 2)
    #expect(try container.resolve(Garage.self).cars[0].engine.power == 2)
    #expect(old.cars[0].engine.power == 1)
  }

  @Test func `leaves alone what was made without it`() throws {
    let container = container()
    _ = try container.resolve(Left.self)
    try container.replace((any Engine).self, with: Motor(power: 2))
    _ = try container.resolve(Left.self)
    #expect(made.value == 1)
  }

  @Test func `is forgotten by a weak service that was made with it`() throws {
    let container = Container()
      .register((any Engine).self, Motor(power: 1))
      .register(Car.self, weak: { Car(engine: try $0.resolve()) }, as: { $0 })
    let held = try container.resolve(Car.self)
    try container.replace((any Engine).self, with: Motor(power: 2))
    #expect(try container.resolve(Car.self).engine.power == 2)
    #expect(held.engine.power == 1)
  }

  @Test func `stays when something is replaced with which its predecessor was made`() throws {
    let container = container()
    _ = try container.resolve(Garage.self)
    let given = Car(engine: Motor(power: 9))
    try container.replace(Car.self, with: given)
    try container.replace((any Engine).self, with: Motor(power: 2))
    #expect(try container.resolve(Car.self) === given)
    #expect(try container.resolve(Garage.self).cars[0] === given)
  }

  @Test func `must be registered, and must not need arguments`() throws {
    let container = Container().register(Motor.self) { (_, power: Int) in Motor(power: power) }
    #expect(throws: ResolutionError.self) { try container.replace(Left.self, with: Left()) }
    #expect(throws: ResolutionError.self) { try container.replace(Motor.self, with: Motor()) }
  }

  @Test func `that is replaced while something is made with it does not stay in that`() throws {
    let container = Container()
      .register((any Engine).self, Motor(power: 1))
      .register(Car.self, .once) { resolution in
        let car = Car(engine: try resolution.resolve())
        try resolution.container.replace((any Engine).self, with: Motor(power: 2))
        return car
      }
    #expect(try container.resolve(Car.self).engine.power == 1)
    #expect(try container.resolve(Car.self).engine.power == 2)
  }

  @Test func `is seen by all in the order of the replacements`() async throws {
    let container = container()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for power in 2...300 {
          try container.replace((any Engine).self, with: Motor(power: power))
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var last = 0
          for _ in 0..<300 {
            let power = try container.resolve((any Engine).self).power
            #expect(power >= last)
            last = power
            _ = try container.resolve(Garage.self)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try container.resolve(Garage.self).cars[0].engine.power == 300)
  }
}
