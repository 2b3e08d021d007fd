/// One thing that the program does: a row of the table that parsing and help are made of.
struct Command: Sendable {
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What the command's own help says after that line, in paragraphs.
  let details: String
  let options: [Option]
  /// Understands the values of the options. It must not use an ambient context: none is set yet.
  let prepare: @Sendable (Arguments) throws -> Run

  /// A command that is ready to be done.
  struct Run: Sendable {
    /// The services that the whole run is to have.
    let services: Services
    /// Does it; results go to the output.
    let body: @Sendable (Output) async throws -> Void
  }
}
