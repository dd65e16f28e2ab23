import AlidadeBase

/// A view as of one moment, for hosts: immutable, on any thread while the view moves on.
public final class ViewSnapshot: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let frame: ViewFrame

  public init(_ frame: ViewFrame) {
    self.frame = frame
    super.init(runtime: frame.map.runtime)
  }

  public override var handleKind: HandleKind { .viewSnapshot }
}
