import Ambient

/// A context with its façade in another module than those who assign it.
public enum Remote {
  private static let context = AmbientContext<String>("Remote") { "default" }
  public static var instance: String {
    get { context.instance }
    set { context.instance = newValue }
  }
}
