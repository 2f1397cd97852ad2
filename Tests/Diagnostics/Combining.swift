import Fanout

private final class Model { var n = 0 }

private let numbers = PassthroughSubject<Int, Never>()

private func combining() {
  let models = Just(Model())
  _ = numbers.combineLatest(models)  // 6: 'Model' does not conform
  _ = numbers.combineLatest(numbers, models)  // 6: 'Model' does not conform
  _ = numbers.zip(models)  // 6: 'Model' does not conform
  _ = numbers.zip(models) { $0 + $1.n }  // 6: 'Model' does not conform
  _ = models.zip(numbers, numbers, numbers)  // 6: 'Model' does not conform
  _ = numbers.withLatestFrom(models)  // 6: 'Model' does not conform
}

private func sound() {
  _ = numbers.combineLatest(Just("one"))
  _ = numbers.zip(Just("one"), numbers) { "\($0)\($1)\($2)" }
  _ = numbers.withLatestFrom(Just(1))
  _ = numbers.merge(with: numbers, Just(1)).merge(with: numbers)
}
