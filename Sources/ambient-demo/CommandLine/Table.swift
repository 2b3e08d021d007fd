// SPDX-License-Identifier: Apache-2.0

/// Rows of text in columns that line up.
struct Table: Sendable {
  /// A column of the table: its heading, and whether its cells are aligned right, as numbers are.
  struct Column: Sendable {
    let heading: String
    var isNumber = false
  }

  let columns: [Column]
  private var rows: [(cells: [String], isMarked: Bool)] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// Appends a row, which must have a cell for each column; a marked row is colored.
  mutating func add(_ cells: [String], marked isMarked: Bool = false) {
    rows.append((cells, isMarked))
  }

  /// The lines of the table. Columns are two spaces apart, or one if two do not fit; cells of text
  /// are wrapped if the rows would be wider than the style allows.
  func lines(style: Style) -> [String] {
    let (widths, gap) = layout(within: style.width ?? .max)
    let headings = lines(of: columns.map(\.heading), widths, gap).map(style.dim)
    return headings
      + rows.flatMap { row in
        let lines = lines(of: row.cells, widths, gap)
        return row.isMarked ? lines.map(style.green) : lines
      }
  }

  /// The columns' widths and the gap. Columns are as wide as their cells. While a row is too wide,
  /// the widest columns of text are narrowed, first without breaking words, then further.
  private func layout(within limit: Int) -> (widths: [Int], gap: Int) {
    let cells = columns.indices.map { index in
      [columns[index].heading] + rows.map { $0.cells[index] }
    }
    var widths = cells.map { $0.map(\.cellCount).max() ?? 0 }
    let words = cells.map { cells in
      cells.flatMap { $0.split(separator: " ") }.map { String($0).cellCount }.max() ?? 0
    }
    for (gap, least) in [(2, words), (1, words), (1, words.map { min($0, 6) })] {
      func total() -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }
      func widest() -> Int? {
        columns.indices.filter { !columns[$0].isNumber && widths[$0] > least[$0] }
          .max { widths[$0] < widths[$1] }
      }
      while total() > limit, let widest = widest() { widths[widest] -= 1 }
      if total() <= limit { return (widths, gap) }
    }
    return (widths, 1)
  }

  private func lines(of cells: [String], _ widths: [Int], _ gap: Int) -> [String] {
    let wrapped = zip(cells, widths).map { $0.wrapped(to: $1) }
    return (0..<(wrapped.map(\.count).max() ?? 0)).map { row in
      line(wrapped.map { row < $0.count ? $0[row] : "" }, widths, gap)
    }
  }

  private func line(_ cells: [String], _ widths: [Int], _ gap: Int) -> String {
    let padded = zip(zip(cells, widths), columns).map { cell, column in
      let space = String(repeating: " ", count: max(cell.1 - cell.0.cellCount, 0))
      return column.isNumber ? space + cell.0 : cell.0 + space
    }
    let text = padded.joined(separator: String(repeating: " ", count: gap))
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
