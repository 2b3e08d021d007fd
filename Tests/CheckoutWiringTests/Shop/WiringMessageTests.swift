// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import CheckoutWiring

@Suite struct `Wiring messages` {
  @Test func `the wiring's messages about customers equal those in messages.txt`() throws {
    let id = try #require(UUID(uuidString: "01939C1F-4A00-7000-8000-000000000001"))
    let errors: [CustomerError] = [
      .emptyName, .nameTooLong(limit: 64), .nameCharacter("\u{200B}"), .nameTaken,
      .notAuthenticated, .unknownCustomer(id), .notAPromotion(from: .gold, to: .standard),
      .wrongPoints(-1), .password(.empty), .password(.tooLong(limit: 511)),
      .password(.nullCharacter), .password(.unsupportedScheme("$6$")),
      .repository("the connection was refused"),
    ]
    for error in errors { #expect("\(RewardsError.customer(error))" == "\(error)") }
    try MessageCatalog.expect(
      "Wiring, customers",
      [
        "Customers": errors.map(\.description).joined(separator: "\n"),
        "A member": "\(RewardsError.alreadyMember(id))",
        "No member": "\(RewardsError.notAMember(id))",
        "A full group": "\(RewardsError.groupFull)",
      ])
  }

  @Test func `the wiring's messages about containers equal those in messages.txt`() throws {
    let place = SourcePlace(fileID: "Shop/Main.swift", line: 7)
    let (first, second) = (
      SourcePlace(fileID: "Shop/A.swift", line: 1), SourcePlace(fileID: "Shop/B.swift", line: 2)
    )
    func text(_ reason: ResolutionError.Reason, askedBy: [String] = []) -> String {
      ResolutionError(reason: reason, service: "Engine", askedBy: askedBy, place: place).description
    }
    try MessageCatalog.expect(
      "Wiring, containers",
      [
        "A missing service": text(.missing),
        "A missing service of another": text(.missing, askedBy: ["Garage", "Car"]),
        "A service that is registered twice": text(.registeredTwice(first, second)),
        "A cycle": text(.cycle(["Engine", "Car", "Engine"]), askedBy: ["Engine", "Car"]),
        "Wrong arguments": text(.wrongArguments(expected: ["Int"], given: [])),
        "Another type": text(.unkept(makes: "Motor")),
        "A failure": text(.failed(CustomerError.repository("the connection was refused"))),
        "An injection that is missing":
          "\(InjectionError(Int.self, missing: "parts", "prices", fileID: place.fileID, line: 7))",
      ])
  }
}
