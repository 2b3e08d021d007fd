// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `ClickHouse errors` {
  private let now = Date(timeIntervalSince1970: 1_795_755_600)

  private enum Root: CaseIterable {
    case temporary, setUp, data, size, unknown

    func verdict(_ code: Int, _ detail: String, after: Duration?) -> DeliveryVerdict {
      let reason = "ClickHouse code \(code)"
      return switch self {
      case .temporary: .retry(reason, after: after, detail: detail, isInDoubt: code == 319)
      case .setUp: .turnedAway(reason, detail: detail)
      case .data: .refused(reason, detail: detail)
      case .size: .tooLarge(reason, detail: detail)
      case .unknown: .unclear(reason, after: after, detail: detail)
      }
    }
  }

  /// The ranges of codes whose root is known, as the names of the codes say.
  private static let known: [(ClosedRange<Int>, Root)] = [
    (6...6, .data), (16...16, .setUp), (25...27, .data), (33...33, .data), (38...38, .data),
    (41...41, .data), (46...48, .setUp), (50...50, .setUp), (53...53, .data), (60...60, .setUp),
    (62...62, .setUp), (69...70, .data), (72...72, .data), (73...73, .setUp), (76...76, .temporary),
    (81...81, .setUp), (89...89, .setUp), (95...96, .temporary), (115...115, .setUp),
    (117...117, .data), (128...128, .data), (130...131, .data), (153...153, .data),
    (158...158, .size), (159...160, .temporary), (164...164, .setUp), (173...173, .temporary),
    (190...190, .data), (192...195, .setUp), (198...198, .temporary), (201...203, .temporary),
    (209...210, .temporary), (218...218, .setUp), (225...225, .temporary), (236...236, .temporary),
    (241...244, .temporary), (252...252, .temporary), (254...254, .temporary),
    (279...279, .temporary), (285...286, .temporary), (291...291, .setUp), (297...297, .temporary),
    (307...307, .size), (319...319, .temporary), (321...321, .data), (344...344, .setUp),
    (349...349, .data), (364...364, .temporary), (369...369, .temporary), (373...373, .temporary),
    (376...376, .data), (381...381, .setUp), (392...392, .setUp), (394...394, .temporary),
    (395...395, .data), (396...396, .size), (407...407, .data), (416...416, .temporary),
    (425...425, .temporary), (439...439, .temporary), (441...441, .data), (452...452, .setUp),
    (467...467, .data), (469...469, .data), (471...472, .setUp), (473...473, .temporary),
    (497...497, .setUp), (499...499, .temporary), (511...512, .setUp), (516...516, .setUp),
    (519...519, .temporary), (529...529, .temporary), (532...532, .temporary), (563...563, .data),
    (574...574, .temporary), (620...620, .setUp), (632...632, .data), (675...676, .data),
    (677...677, .temporary), (691...691, .data), (693...693, .temporary), (695...696, .temporary),
    (700...700, .temporary), (720...720, .setUp), (722...722, .temporary), (733...733, .temporary),
    (745...745, .temporary), (749...749, .temporary), (762...762, .temporary), (767...767, .setUp),
    (774...774, .setUp), (776...778, .temporary), (779...779, .setUp), (904...904, .temporary),
    (999...1_000, .temporary),
  ]

  private static let roots: [Int: Root] = {
    var roots: [Int: Root] = [:]
    for (codes, root) in known { for code in codes { roots[code] = root } }
    return roots
  }()

  /// What versions write before and around an error's message.
  private static let forms: [(start: String, end: String)] = [
    ("", ". DB::Exception: no. (NAME) (version 25.1)"),
    ("", ", e.displayText() = DB::Exception: no"),
    ("1\n2\n", ". DB::Exception: no"), ("\r\n__exception__\r\nabcdefgh\r\n", ". DB::Exception: no"),
    (#"{"exception": ""#, #". DB::Exception: no"}"#),
  ]

  @Test func `in every message format, a ClickHouse error code determines the DeliveryVerdict`() {
    for code in Array(1...1_010) + [3_000] {
      let root = Self.roots[code] ?? .unknown
      for status in [200, 400, 404, 500, 503] {
        for (start, end) in Self.forms {
          let body = "\(start)Code: \(code)\(end)"
          for tag in [[:], ["x-clickhouse-exception-tag": "abcdefgh"]] {
            var headers = tag
            headers["retry-after"] = "7"
            let answer = HTTPAnswer(status, headers: headers, body: Array(body.utf8))
            let wanted = root.verdict(code, answer.excerpt, after: .seconds(7))
            #expect(DeliveryVerdict.clickHouse(answer, now: now) == wanted, "\(status) \(body)")
          }
        }
        let headers = ["x-clickhouse-exception-code": "\(code)"]
        let coded = HTTPAnswer(status, headers: headers, body: Array("cut".utf8))
        #expect(
          DeliveryVerdict.clickHouse(coded, now: now) == root.verdict(code, "cut", after: nil))
      }
    }
  }

  @Test(arguments: [
    (252, "Too many partitions for single INSERT block (more than 100)", Root.size),
    (252, "Too many parts (300). Merges are processing significantly slower", .temporary),
    (252, "Too many parts (3000) in all partitions in total", .temporary),
    (49, "Unknown element 'x' for type Enum8", .data), (49, "Bad cast from type", .unknown),
    (36, "Bad arguments", .unknown), (1_001, "std::exception", .unknown),
    (1_002, "Unknown exception", .unknown),
  ])
  private func `a ClickHouse error with an ambiguous code is judged by the text of its message`(
    code: Int, text: String, root: Root
  ) {
    let body = "Code: \(code). DB::Exception: \(text). (NAME)"
    let answer = HTTPAnswer(500, body: Array(body.utf8))
    #expect(DeliveryVerdict.clickHouse(answer, now: now) == root.verdict(code, body, after: nil))
  }

  @Test(arguments: [
    "", "no", "Code: 27", "Code: 27, no", "code: 27. DB::Exception: no", " Code: 27. Exception",
    "Code: x. DB::Exception: no", "Code: . DB::Exception: no", "Code: 27\nDB::Exception: no",
    #"{"name":"a","type":"String","comment":"Code: 27. DB::Exception"}"#,
    #"{"id":"1","event":"a","properties":{"exception":"Code: 60. DB::Exception: no table"}}"#,
  ])
  func `text that only resembles a ClickHouse error isn't read as an error`(body: String) {
    #expect(DeliveryVerdict.clickHouse(HTTPAnswer(200, body: Array(body.utf8)), now: now) == nil)
  }
}
