/// Rows of text in columns that line up.
struct Table: Sendable {
  /// A column's heading, and whether its cells stand at the right, as numbers do.
  struct Column: Sendable {
    let heading: String
    var isNumber = false
  }

  let columns: [Column]
  private var rows: [(cells: [String], isMarked: Bool)] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// Appends a row, which must have a cell for each column; a marked one stands out in colour.
  mutating func add(_ cells: [String], marked isMarked: Bool = false) {
    rows.append((cells, isMarked))
  }

  /// The lines of the table, with two spaces between the columns.
  func lines(style: Style) -> [String] {
    let widths = columns.indices.map { index in
      max(columns[index].heading.cellCount, rows.map { $0.cells[index].cellCount }.max() ?? 0)
    }
    let headings = style.dim(line(columns.map(\.heading), widths))
    return [headings]
      + rows.map { row in
        let text = line(row.cells, widths)
        return row.isMarked ? style.green(text) : text
      }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(zip(cells, widths), columns).map { cell, column in
      let space = String(repeating: " ", count: cell.1 - cell.0.cellCount)
      return column.isNumber ? space + cell.0 : cell.0 + space
    }
    let text = padded.joined(separator: "  ")
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
