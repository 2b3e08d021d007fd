// SPDX-License-Identifier: Apache-2.0

import Ambient
import CheckoutWiring
import Testing

@Suite struct `Container arguments` {
  let container = Container()
    .register(Motor.self) { (_, power: Int) in Motor(power: power) }
    .register(String.self) { (_, name: String, count: Int, isLoud: Bool) in
      String(repeating: name, count: count) + (isLoud ? "!" : "")
    }
    .register(Car.self) { Car(engine: try $0.resolve(Motor.self, with: 5)) }
    .register(Left.self, Left())

  private func reason(
    _ body: () throws -> Void
  ) throws -> (expected: [String], given: [String]) {
    let error = try #require(throws: ResolutionError.self) { try body() }
    guard case .wrongArguments(let expected, let given) = error.reason else { throw error }
    return (expected, given)
  }

  @Test func `Container.resolve passes one or several arguments to the factory`() throws {
    #expect(try container.resolve(Motor.self, with: 120).power == 120)
    #expect(try container.resolve(String.self, with: "ho", 3, true) == "hohoho!")
    #expect(try container.resolve(Car.self).engine.power == 5)
  }

  @Test func `resolving a service with arguments makes a new service each time`() throws {
    let first = try container.resolve(Motor.self, with: 1)
    #expect(try container.resolve(Motor.self, with: 1) !== first)
  }

  @Test func `service arguments of the wrong type are reported with the expected types`() throws {
    let wrong = try reason { _ = try container.resolve(Motor.self, with: "120") }
    #expect(wrong.expected == ["Int"] && wrong.given == ["String"])
    let order = try reason { _ = try container.resolve(String.self, with: 3, "ho", true) }
    #expect(
      order.expected == ["String", "Int", "Bool"] && order.given == ["Int", "String", "Bool"])
    let optional = try reason { _ = try container.resolve(Car.self, with: Int?.some(3)) }
    #expect(optional.expected == [] && optional.given == ["Optional<Int>"])
    let empty = try reason { _ = try container.resolve(Motor.self, with: Left()) }
    #expect(empty.expected == ["Int"] && empty.given == ["Left"])
  }

  @Test func `missing and extra arguments for a container's service are reported`() throws {
    let missing = try reason { _ = try container.resolve(Motor.self) }
    #expect(missing.expected == ["Int"] && missing.given == [])
    let superfluous = try reason { _ = try container.resolve(Left.self, with: 1) }
    #expect(superfluous.expected == [] && superfluous.given == ["Int"])
    let more = try reason { _ = try container.resolve(Motor.self, with: 1, 2) }
    #expect(more.expected == ["Int"] && more.given == ["Int", "Int"])
  }

  @Test func `a missing argument is reported even if the factory's parameter is optional`() throws {
    let container = Container()
      .register(Int.self) { (_, base: Int, more: Int?) in base + (more ?? 0) }
      .register(String.self) { (_, count: Int?) in "\(count ?? 0)" }
    let one = try reason { _ = try container.resolve(Int.self, with: 5) }
    #expect(one.expected == ["Int", "Optional<Int>"] && one.given == ["Int"])
    let none = try reason { _ = try container.resolve(String.self) }
    #expect(none.expected == ["Optional<Int>"] && none.given == [])
    #expect(try container.resolve(Int.self, with: 5, Int?.none) == 5)
  }

  @Test func `an argument can be a subtype of the factory's parameter type`() throws {
    let cars = Container().register(Car.self) { (_, engine: any Engine) in Car(engine: engine) }
    #expect(try cars.resolve(Car.self, with: Motor(power: 7)).engine.power == 7)
    let optional = Container().register(Int.self) { (_, power: Int?) in power ?? 0 }
    #expect(try optional.resolve(Int.self, with: 7) == 7)
    #expect(try optional.resolve(Int.self, with: Int?.none) == 0)
  }

  @Test func `passing nil for a required argument is reported with the dependency path`() throws {
    let container = container.register(Garage.self) { resolver in
      let power: Int? = nil
      _ = try resolver.resolve(Motor.self, with: power)
      return Garage(cars: [])
    }
    let error = try #require(throws: ResolutionError.self) {
      try container.resolve(Garage.self)
    }
    guard case .wrongArguments(["Int"], ["nil"]) = error.reason else { throw error }
    #expect(error.service == "Motor" && error.askedBy == ["Garage"])
    #expect(error.place.fileID == #fileID)
  }

  @Test func `Container.check() skips services with arguments, but reports wrong arguments`() throws
  {
    #expect(container.check().isEmpty)
    // But for what is registered twice, and what asks for it with others than it takes.
    let wrong =
      container
      .register(Motor.self) { (_, name: String) in Motor(power: name.count) }
      .register(Garage.self) {
        _ = try $0.resolve(String.self, with: 1)
        return Garage(cars: [])
      }
    let errors = wrong.check()
    #expect(errors.map(\.service) == ["Motor", "Motor", "String"])
    guard case .registeredTwice? = errors.first?.reason,
      case .wrongArguments(["String", "Int", "Bool"], ["Int"])? = errors.last?.reason
    else { throw try #require(errors.last) }
    #expect(errors.last?.askedBy == ["Garage"])
  }

  @Test func `resolving a shared service with arguments is reported as an error`() throws {
    let container = Container().register(Left.self, .once) { _ in Left() }
    _ = try container.resolve(Left.self)
    let wrong = try reason { _ = try container.resolve(Left.self, with: 1) }
    #expect(wrong.expected == [] && wrong.given == ["Int"])
  }
}
