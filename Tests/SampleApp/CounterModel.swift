public import Fanout

/// Counts taps, for a view that shows the number.
public final class CounterModel: Sendable {
  /// The number so far.
  public let count = CurrentValueSubject<Int, Never>(0)
  private let taps = PassthroughSubject<Void, Never>()
  private let counting: AnyCancellable

  /// Starts at zero.
  public init() {
    let count = count
    counting = taps.sink { count.value += 1 }
  }

  /// One tap more.
  public func tap() { taps.send() }
}
