// SPDX-License-Identifier: Apache-2.0

import Ambient
import CheckoutWiring
import Foundation
import Testing

@Suite struct `Customer error descriptions` {
  @Test func `a CustomerError describes the problem without the customer's name`() {
    let id = UUID()
    let texts: [(CustomerError, String)] = [
      (.emptyName, "the name is empty; give one with at least a letter"),
      (.nameTooLong(limit: 64), "the name has more than 64 characters; choose a shorter one"),
      (.nameCharacter("\u{200B}"), "the name holds U+200B; leave it out"),
      (.nameTaken, "the name is taken; choose another"),
      (.notAuthenticated, "the name or the password is wrong"),
      (.unknownCustomer(id), "there is no customer \(id)"),
      (
        .notAPromotion(from: .gold, to: .standard),
        "standard is no promotion for a customer who is gold; choose a higher tier"
      ),
      (
        .wrongPoints(-1),
        "-1 points cannot be credited; they must be positive, and the sum must fit an Int"
      ),
      (.password(.empty), "the password is empty; choose one"),
      (
        .password(.tooLong(limit: 511)),
        "the password is longer than 511 bytes; choose a shorter one"
      ),
      (
        .password(.nullCharacter), "the password holds a null character; choose one without"
      ),
      (
        .password(.unsupportedScheme("$6$")),
        "this system cannot hash passwords by the scheme $6$; give another verifier"
      ),
      (.repository("it burns"), "the customers cannot be reached: it burns"),
    ]
    for (error, text) in texts {
      #expect(error.description == text)
      #expect(RewardsError.customer(error).description == text)
    }
  }

  @Test func `a RewardsError describes the problem with the customer or the limit`() {
    let id = UUID()
    #expect(
      RewardsError.alreadyMember(id).description == "customer \(id) is in the group already")
    #expect(
      RewardsError.notAMember(id).description
        == "customer \(id) is not in the group; let them join first")
    #expect(
      RewardsError.groupFull.description
        == "the group has \(CustomerGroup.limit) members, the most it may have")
  }
}
