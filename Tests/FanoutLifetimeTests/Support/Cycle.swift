/// Two objects that keep each other alive until one releases the other on command.
final class Cycle {
  private var other: Cycle?

  init() {
    let second = Cycle(other: nil)
    second.other = self
    other = second
  }

  private init(other: Cycle?) { self.other = other }

  func open() { other = nil }
}
