extension AmbientValue: CustomStringConvertible {
  /// The value as text of a log has it: `42`, `ada`, `"ada l"`, `["a","b"]`.
  public var description: String {
    LineBuffer.with { line in
      line.append(plain: self)
      return line.text
    }
  }
}

extension AmbientFields: CustomStringConvertible {
  /// The fields as text of a log has them: `order=42 user="ada l"`.
  public var description: String {
    LineBuffer.with { line in
      line.append(pairs: self)
      return line.text
    }
  }
}
