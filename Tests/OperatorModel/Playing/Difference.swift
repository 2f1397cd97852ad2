import FanoutContract

/// The first point at which Fanout and the reference differ.
package struct Difference: CustomStringConvertible {
  /// The number of the step after which it shows; 0 for the subscription, nil for the very end.
  package let step: Int?
  package let text: String

  package var description: String {
    switch step {
    case 0: "when it is subscribed to: \(text)"
    case let step?: "after step \(step): \(text)"
    case nil: "when everything was released: \(text)"
    }
  }
}

extension Program {
  /// Plays the program with the operators of a workshop and with the reference's.
  ///
  /// - Parameter workshop: The workshop that makes the operators under test.
  /// - Returns: The first difference between required and actual behaviour; nil if there is none.
  package func difference(with workshop: any Workshop = FanoutWorkshop()) -> Difference? {
    let (model, live) = (Play(self, with: ReferenceWorkshop()), Play(self, with: workshop))
    defer { _ = model.leave() }
    for index in 0...steps.count {
      for play in [model, live] {
        if index == 0 { play.begin() } else { play.perform(steps[index - 1]) }
      }
      if let text = live.observation().difference(from: model.observation()) {
        _ = live.leave()
        return Difference(step: index, text: text)
      }
    }
    let survivors = live.leave()
    guard let survivor = survivors.first else { return nil }
    return Difference(step: nil, text: "\(survivor) is still alive")
  }
}
