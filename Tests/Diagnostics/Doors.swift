import Fanout

private let numbers = PassthroughSubject<Int, Never>()

private func wrong(_ stream: AsyncStream<Int>, _ throwing: AsyncThrowingStream<Int, any Error>) {
  _ = numbers.shared(replay: .last(1))  // both: write share(replay:)
  _ = numbers.share(replay: 3)  // both: write share(replay: .last(n))
  _ = stream.share(replay: .last(1))  // both: write shared(replay:)
  // both: erase with eraseToAnySharedPublisher()
  _ = numbers.share().eraseToAnyPublisher().joining(.live)
  _ = stream.publisher.share()  // both: write stream.shared(replay:)
  _ = throwing.publisher.share(replay: .latest)  // both: write stream.shared(replay:)
}

private func renamed() {
  _ = numbers.share().elements()  // both: values loses nothing now
  // both: write values.joining(backlog: .size(n, whenFull: .dropOldest))
  _ = numbers.share().elements(buffering: .newest(1))
  _ = numbers.share().shared  // both: values loses nothing now
}

private func sound(_ stream: AsyncStream<Int>) async {
  let shared: SharedSequence<Int, Never> = numbers.share(replay: .last(3)).values
  let erased = numbers.share().eraseToAnySharedPublisher()
  let kept: SharedSequence<Int, Never> = erased.joining().values
  _ = stream.shared(replay: .last(1))
  _ = stream.publisher.share(disconnect: .whenReleased)
  _ = await shared.firstValue()
  for await number in kept { print(number) }
  for await number in numbers.eraseToAnyPublisher().share().values { print(number) }
  let told = numbers.eraseToAnyPublisher().share().deliveries()
  for await event in told.values { print(event) }
}
