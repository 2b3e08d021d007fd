// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-27T00:00:00-05:00")) struct `Adobe shop events` {
  private let recorder = AnalyticsRecorder()
  private let options = AdobeOptions().with {
    $0.policy = .strict
    $0.mapping = .shop
  }

  @Test func `the events of an order and a refund pass Adobe's strict validation`() async throws {
    _ = try await orderAndRefund(recorder)
    #expect(recorder.events.count == 8)
    #expect(EventValidator.adobe(options).problems(in: recorder.trackedEvents) == [])
  }

  @Test func `the events of an order and a refund get the expected Adobe Analytics variables`()
    async throws
  {
    let id = try await orderAndRefund(recorder).id.uuidString
    let events = recorder.events
    let basket = #""contextData":{"tax":"2.43","value":"27.33","coupon":"WELCOME10""#
    let tail = #""linkType":"o","linkName":"#
    let sold = ";coffee;2;21,;mug;1;9.37"
    let expected = [
      #"{"currencyCode":"USD","events":"prodView","products":";coffee;1;14",\#(tail)"view_item","#
        + #""contextData":{"value":"14"}}"#,
      #"{"currencyCode":"USD","events":"prodView","products":";mug;1;12.5",\#(tail)"view_item","#
        + #""contextData":{"value":"12.5"}}"#,
      #"{"currencyCode":"USD","events":"scAdd","products":";coffee;2;28",\#(tail)"add_to_cart","#
        + #""contextData":{"value":"28"}}"#,
      #"{"currencyCode":"USD","events":"scAdd","products":";mug;1;12.5",\#(tail)"add_to_cart","#
        + #""contextData":{"value":"12.5"}}"#,
      #"{"currencyCode":"USD","events":"scCheckout","products":"\#(sold)",\#(tail)"begin_checkout","#
        + #"\#(basket)}}"#,
      #"{"currencyCode":"USD","events":"event1",\#(tail)"add_payment_info",\#(basket),"#
        + #""payment_type":"card"}}"#,
      #"{"purchaseID":"KEY","transactionID":"\#(id)","currencyCode":"USD","events":"purchase","#
        + #""products":";coffee;2;18.9,;mug;1;8.43",\#(tail)"purchase",\#(basket)}}"#,
      #"{"transactionID":"\#(id)","currencyCode":"USD","events":"event2=27.33",\#(tail)"refund","#
        + #""contextData":{"tax":"2.43","value":"27.33"}}"#,
    ]
    for (event, expected) in zip(events, expected) {
      let sent = try await variables(of: event, options)?
        .replacing(/"purchaseID":"[0-9a-f]{20}"/, with: #""purchaseID":"KEY""#)
      #expect(sent == expected)
    }
  }

  @Test func `the events of an order and a refund get the expected XDM fields`() async throws {
    let id = try await orderAndRefund(recorder).id.uuidString
    let order = #""order":{"currencyCode":"USD"}}"#
    let payments = #""payments":[{"transactionID":"\#(id)"}]"#
    let coffee = #"{"SKU":"coffee","name":"House blend, 250 g","quantity":"#
    let mug = #"{"SKU":"mug","name":"Stoneware mug","quantity":1,"priceTotal":"#
    let expected = [
      (
        "commerce.productViews",
        #""commerce":{"productViews":{"value":1},\#(order),"productListItems":["#
          + #"\#(coffee)1,"priceTotal":14}]}"#
      ),
      (
        "commerce.productViews",
        #""commerce":{"productViews":{"value":1},\#(order),"productListItems":[\#(mug)12.5}]}"#
      ),
      (
        "commerce.productListAdds",
        #""commerce":{"productListAdds":{"value":1},\#(order),"productListItems":["#
          + #"\#(coffee)2,"priceTotal":28}]}"#
      ),
      (
        "commerce.productListAdds",
        #""commerce":{"productListAdds":{"value":1},\#(order),"productListItems":[\#(mug)12.5}]}"#
      ),
      (
        "commerce.checkouts",
        #""commerce":{"checkouts":{"value":1},\#(order),"productListItems":["#
          + #"\#(coffee)2,"priceTotal":21},\#(mug)9.37}]}"#
      ),
      ("add_payment_info", #""commerce":{\#(order)}"#),
      (
        "commerce.purchases",
        #""commerce":{"purchases":{"value":1},"order":{"purchaseID":"\#(id)","#
          + #""currencyCode":"USD",\#(payments)}},"productListItems":["#
          + #"\#(coffee)2,"priceTotal":18.9},\#(mug)8.43}]}"#
      ),
      ("refund", #""commerce":{"order":{"currencyCode":"USD",\#(payments)}}}"#),
    ]
    for (event, (type, rest)) in zip(recorder.events, expected) {
      let sent = try await xdm(of: event, options)
      #expect(
        sent == #"{"_id":"ID","eventType":"\#(type)","timestamp":"2026-11-27T05:00:00.000Z","#
          + #""identityMap":{"FPID":[{"id":"\#(AdobeAnalytics.device)","primary":true}]},\#(rest)"#)
    }
  }

  @Test(
    arguments: [
      ([10.0, 10.0, 10.0], 10.0, ["3.34", "3.33", "3.33"]), ([5.0, 5.0], 10.0, ["5", "5"]),
      ([1.005, 2.0], 1.5, ["0.502", "0.998"]), ([100.0, 200.0], 299.0, ["99.67", "199.33"]),
      ([0.0, 0.0], 5.0, ["0", "0"]), ([3.0], -1.0, ["3"]),
      ([1.0005, 2.0], 1.5, ["0.5002", "0.9998"]), ([5.0, 0.0], 0.0, ["0", "0"]),
      ([1.0, 3.0, 1.0], 0.01, ["0", "0.01", "0"]), ([1.0, 1.0], 0.03, ["0.02", "0.01"]),
    ] as [([Double], Double, [String])])
  func `an Adobe purchase's product prices are scaled to add up to the purchase's value`(
    prices: [Double], total: Double, sent: [String]
  ) async throws {
    let items = prices.map { ["item_id": "a", "price": $0] as AmbientFields }
    let event = Event(
      "purchase", ["transaction_id": "t", "value": total, "items": items.ambientValue])
    let text = try await variables(of: event, options)
    let products = text?.firstMatch(of: /"products":"([^"]*)"/)?.output.1
    let found = products?.split(separator: ",").compactMap { $0.split(separator: ";").last }
    #expect(found?.map(String.init) == sent)
  }
}
