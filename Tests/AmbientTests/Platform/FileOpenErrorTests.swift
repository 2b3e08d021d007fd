import Testing

@testable import Ambient

@Suite struct `A file that cannot be opened` {
  @Test(arguments: [
    ("", nil, "cannot append to “”: no file; name a file"),
    (
      "a.log", nil,
      "cannot append to “a.log”: no file; choose a file in a folder that this user may write to"
    ),
    ("a.log", "wait", "cannot append to “a.log”: no file; wait"),
    ("", "wait", "cannot append to “”: no file; wait"),
  ])
  func `is told with advice`(path: String, advice: String?, text: String) {
    #expect(FileOpenError(path: path, reason: "no file", advice: advice).description == text)
  }
}
