import Fanout

private let numbers = PassthroughSubject<Int, Never>()

private func wrong(_ stream: AsyncStream<Int>, _ throwing: AsyncThrowingStream<Int, any Error>) {
  _ = numbers.shared(replay: .last(1))  // both: write share() for a publisher
  _ = numbers.shared(disconnect: .whenReleased)  // both: write share() for a publisher
  _ = numbers.share(replay: 3)  // both: write .last(n)
  _ = numbers.share(replay: 3, disconnect: .whenReleased)  // both: write .last(n)
  _ = stream.shared(replay: 3)  // both: write .last(n)
  _ = ReplaySubject<Int, Never>(3)  // both: write .last(n)
  _ = Broadcast<Int, Never>(replay: 3)  // both: write .last(n)
  _ = stream.share()  // both: write shared(replay:)
  _ = stream.share(replay: .last(1), disconnect: .whenIdle)  // both: write shared(replay:)
  // both: erase with eraseToAnySharedPublisher()
  _ = numbers.share().eraseToAnyPublisher().joining(.live)
  _ = stream.publisher.share()  // both: write stream.shared(replay:)
  _ = throwing.publisher.share(replay: .latest)  // both: write stream.shared(replay:)
}

private func loops(
  _ current: CurrentValue<Int, Never>, _ broadcast: Broadcast<Int, Never>,
  _ subject: ReplaySubject<Int, Never>, _ erased: AnySharedPublisher<Int, Never>
) async {
  for await number in numbers.share() { print(number) }  // both: loop over its values
  for await number in current { print(number) }  // both: loop over its values
  for await number in broadcast { print(number) }  // both: loop over its values
  for await number in subject { print(number) }  // both: loop over its values
  for await number in erased { print(number) }  // both: loop over its values
  _ = current.shared  // both: loop over its values
  _ = current.elements()  // both: renamed to 'values'
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
