// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ambient_demo

@Suite struct `Output styles` {
  @Test(
    arguments: [
      (nil, nil), ("wide", nil), ("-1", 60), ("59", 60), ("61", 61), ("200", 200),
    ] as [(String?, Int?)])
  func `output without a terminal is as wide as COLUMNS, but at least 60 cells`(
    columns: String?, width: Int?
  ) {
    let environment = columns.map { ["COLUMNS": $0, "TERM": "xterm"] } ?? [:]
    let style = Style.fitting(descriptor: -1, environment: environment)
    #expect(style == Style(isColored: false, width: width))
  }

  @Test(arguments: [(nil, 80), (60, 60), (80, 80), (81, 80), (200, 80)] as [(Int?, Int)])
  func `running text is at most 80 cells wide`(width: Int?, cells: Int) {
    #expect(Style(isColored: false, width: width).textWidth == cells)
  }

  @Test(arguments: [(0, 70), (1, 60), (100, 100)] as [(UInt16, Int)])
  func `output on a terminal is as wide as the terminal`(columns: UInt16, width: Int)
    throws
  {
    let terminal = try PseudoTerminal()
    let descriptor = terminal.device.fileDescriptor
    var size = winsize()
    size.ws_col = columns
    try #require(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
    let style = Style.fitting(descriptor: descriptor, environment: ["COLUMNS": "70"])
    #expect(style.width == width)
  }

  @Test(
    arguments: [
      ([:], true), (["TERM": "xterm", "NO_COLOR": ""], true), (["NO_COLOR": "1"], false),
      (["TERM": "dumb"], false), (["TERM": "dumb", "NO_COLOR": "1"], false),
    ] as [([String: String], Bool)])
  func `output on a terminal is colored unless TERM or NO_COLOR forbids it`(
    environment: [String: String], isColored: Bool
  ) throws {
    let terminal = try PseudoTerminal()
    let style = Style.fitting(
      descriptor: terminal.device.fileDescriptor, environment: environment)
    #expect(style.isColored == isColored)
    #expect(style.width == nil)
  }

  @Test func `a heading that is wider than the output takes several bold lines`() {
    let heading = Style(isColored: true, width: 60).heading(String(repeating: "shop ", count: 20))
    let lines = heading.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[1mshop ") && $0.hasSuffix("shop\u{1B}[0m") })
  }
}
