// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Adobe mappings` {
  @Test(arguments: [
    ([AdobeVariable.eVar(0)], "eVar0"), ([.eVar(251)], "eVar251"), ([.prop(0)], "prop0"),
    ([.prop(76)], "prop76"), ([.list(0)], "list0"), ([.list(4)], "list4"),
    ([.eVar(1), .eVar(-3)], "eVar-3"), ([.list(1, delimiter: "x")], "list1"),
    ([.contextData("a b")], "contextData"), ([.contextData("a.b")], "contextData"),
    ([.contextData("")], "contextData"),
  ])
  func `an Adobe mapping with an invalid variable throws an error that names the variable`(
    variables: [AdobeVariable], name: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try AdobeMapping(variables: ["x": variables])
    }
    #expect(error.setting == name, "\(error)")
  }

  @Test(arguments: [
    [AdobeVariable.eVar(1), .prop(1), .eVar(1)], [.list(1), .list(1, delimiter: "|")],
    [.contextData("shop.page"), .contextData("Shop.page")],
  ])
  func `an AdobeMapping that sends a property twice to the same variable throws an error`(
    variables: [AdobeVariable]
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try AdobeMapping(variables: ["method": variables])
    }
    #expect(error.setting != nil, "\(error)")
    #expect("\(error)".contains("“method”"))
  }

  @Test(arguments: ["\n", "\t", "\r\n", "\u{7F}", " ", "a", "1", "é"] as [Character])
  func `an Adobe list delimiter other than ASCII punctuation throws an error`(delimiter: Character)
    throws
  {
    #expect(throws: CollectorError.self) {
      try AdobeMapping(variables: ["x": [.list(1, delimiter: delimiter)]])
    }
  }

  @Test(arguments: [
    AdobeVariable.eVar(1), .eVar(250), .prop(1), .prop(75), .list(1), .list(3, delimiter: "|"),
    .list(2, delimiter: "!"), .list(2, delimiter: "~"), .contextData("shop.page"),
  ])
  func `an Adobe mapping accepts the lowest and highest number of each kind of variable`(
    variable: AdobeVariable
  ) throws {
    _ = try AdobeMapping(variables: ["x": [variable]])
  }

  @Test func `an Adobe mapping with an invalid event number throws an error that names the number`()
    throws
  {
    for number in [0, 1_001, -1] {
      let named = "“event\(number)”"
      for make in [
        { try AdobeMapping(events: ["x": [.event(number)]]) },
        { try AdobeMapping(products: AdobeProducts().with { $0.events = ["x": number] }) },
        { try AdobeMapping.shop(paymentInfo: number, refund: 2) },
        { try AdobeMapping.shop(paymentInfo: 1, refund: number) },
      ] {
        let error = try #require(throws: CollectorError.self) { _ = try make() }
        #expect("\(error)".contains(named))
      }
    }
    #expect(throws: CollectorError.self) { try AdobeMapping.shop(paymentInfo: 7, refund: 7) }
    _ = try AdobeMapping(events: ["x": [.event(1), .event(1_000)]])
    let error = try #require(throws: CollectorError.self) {
      try AdobeMapping(products: AdobeProducts().with { $0.eVars = ["x": 251] })
    }
    #expect(error.setting == "eVar251" && "\(error)".contains("eVar250"), "\(error)")
  }

  @Test
  func `an Adobe mapping can take a purchase's ID, total and serialization key from properties`()
    async throws
  {
    let options = try mapped(
      ["order": [.purchaseID]], events: ["sold": [.purchase.once(per: "key")]],
      products: AdobeProducts().with { $0.total = "paid" })
    let items = [["item_id": "a", "price": 5] as AmbientFields].ambientValue
    let event = Event("sold", ["order": "A1", "key": "K1", "paid": 4, "items": items])
    #expect(
      try await variables(of: event, options)
        == #"{"purchaseID":"A1","events":"purchase:K1","products":";a;;4","linkType":"o","#
        + #""linkName":"sold","contextData":{"key":"K1","paid":"4"}}"#)
    let without = Event("sold", ["order": "A1", "items": items])
    let problems = EventValidator.adobe(options).problems(in: [without])
    #expect(problems.map { "\($0.rule) \($0.field)" } == ["missing properties.key"])
  }

  @Test
  func `for an incomplete Adobe purchase, each EventProblem names the mapped property`()
    throws
  {
    let plain = try mapped(events: ["sold": [.purchase]])
    let twice = try mapped(
      ["b": [.purchaseID], "a": [.purchaseID]], events: ["sold": [.purchase]],
      products: AdobeProducts().with { $0.list = "goods" })
    func found(_ options: AdobeOptions) -> [String] {
      EventValidator.adobe(options).problems(in: [Event("sold")]).map(\.field)
    }
    #expect(found(plain) == ["properties.products", "properties.purchaseID"])
    #expect(found(twice) == ["properties.goods", "properties.a"])
  }

  @Test func `a mapping passed to AdobeMapping.adding takes precedence over the original mapping`()
    async throws
  {
    let own = try AdobeMapping(
      first: .renaming(properties: ["how": "way"]), events: ["refund": [.event(9)]],
      variables: ["way": [.eVar(5)], "currency": [.prop(1)]])
    let options = AdobeOptions().with { $0.mapping = .shop.adding(own) }
    #expect(
      try await variables(of: Event("refund", ["how": "card", "currency": "EUR"]), options)
        == #"{"eVar5":"card","prop1":"EUR","events":"event9","linkType":"o","linkName":"refund"}"#)
    #expect(
      try await variables(of: Event("add_payment_info", ["value": 1]), options)
        == #"{"events":"event1","linkType":"o","linkName":"add_payment_info","#
        + #""contextData":{"value":"1"}}"#)
  }
}
