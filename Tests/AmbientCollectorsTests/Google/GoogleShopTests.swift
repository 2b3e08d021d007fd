// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Checkout
import Testing

@Suite(.frozen(at: "2026-11-27T00:00:00-05:00")) struct `Google shop events` {
  private let recorder = AnalyticsRecorder()

  @Test func `the events of an order and a refund pass Google's validation for web and app`()
    async throws
  {
    _ = try await orderAndRefund(recorder)
    #expect(recorder.events.count == 8)
    #expect(EventValidator.google().problems(in: recorder.events).isEmpty)
    #expect(EventValidator.google(.app).problems(in: recorder.trackedEvents).isEmpty)
    let strict = EventValidator.google(
      .web,
      GoogleOptions().with {
        $0.policy = .strict
        $0.mapping = .googleShop
      })
    #expect(strict.problems(in: recorder.trackedEvents).isEmpty)
  }

  @Test func `the events of an order and a refund get the expected Google Analytics parameters`()
    async throws
  {
    let id = try await orderAndRefund(recorder).id
    let options = GoogleOptions().with {
      $0.session = .none
      $0.engagement = nil
      $0.mapping = .googleShop
    }
    let body = try #require(try await bodies(of: recorder.events, options).first)
    let coffee = #"{"item_id":"coffee","item_name":"House blend, 250 g","price":"#
    let mug = #"{"item_id":"mug","item_name":"Stoneware mug","price":"#
    let discount = #""discount":3.5,"promotion_name":"Black Friday"}"#
    let sold =
      "[\(coffee)10.5,\"quantity\":2,\(discount),"
      + #"\#(mug)9.37,"quantity":1,"discount":3.13,"promotion_name":"Black Friday"}]"#
    let all = #""tax":2.43,"currency":"USD","value":27.33,"items":\#(sold)"#
    let basket = #"\#(all),"coupon":"WELCOME10""#
    let events = [
      ("view_item", #""currency":"USD","value":14,"items":[\#(coffee)14,"quantity":1}]"#),
      ("view_item", #""currency":"USD","value":12.5,"items":[\#(mug)12.5,"quantity":1}]"#),
      ("add_to_cart", #""currency":"USD","value":28,"items":[\#(coffee)14,"quantity":2}]"#),
      ("add_to_cart", #""currency":"USD","value":12.5,"items":[\#(mug)12.5,"quantity":1}]"#),
      ("begin_checkout", basket), ("add_payment_info", basket + #","payment_type":"card""#),
      ("purchase", #""transaction_id":"\#(id)",\#(basket)"#),
      ("refund", #""transaction_id":"\#(id)",\#(all)"#),
    ].map { name, parameters in
      #"{"name":"\#(name)","params":{\#(parameters)},"timestamp_micros":1795755600000000}"#
    }
    #expect(body == #"{"client_id":"12.34","events":[\#(events.joined(separator: ","))]}"#)
  }

  @Test
  func `the googleShop mapping subtracts tax and shipping only from a larger event value`()
    async throws
  {
    let event = Event("purchase", ["value": 29.76, "tax": 2.43, "shipping": 5])
    #expect(EventMapping.none(event) == event)
    #expect(EventMapping.googleShop(event).properties["value"] == .double(22.33))
    let text = Event("refund", ["value": "44.09", "tax": "3.59"])
    #expect(EventMapping.googleShop(text).properties["value"] == "40.5")
    let shipped = Event("add_shipping_info", ["value": 17, "shipping": 5])
    #expect(EventMapping.googleShop(shipped).properties["value"] == .double(12))
    let back = Event("refund", ["value": -44.09, "tax": -3.59])
    #expect(EventMapping.googleShop(back).properties["value"] == .double(-40.5))
    for fields: AmbientFields in [
      ["value": 17], ["value": -44.09, "tax": 3.59], ["value": 10, "tax": 19],
      ["value": 0, "tax": 1],
    ] {
      let event = Event("refund", fields)
      #expect(EventMapping.googleShop(event) == event)
    }
  }
}
