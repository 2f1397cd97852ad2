internal import Fanout

/// The script of a marble publisher: marbles with the values of their characters.
struct MarbleScript<Output, Failure: Error> {
  /// The signals of one tick.
  struct Step {
    let tick: Int
    var signals: [Signal]
  }

  enum Signal {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
  }

  let marbles: Marbles
  private(set) var steps: [Step] = []

  init(_ marbles: Marbles, value: (Character) -> Output?, error: Failure?) throws(MissingMeaning) {
    self.marbles = marbles
    for mark in marbles.marks {
      let signal: Signal
      switch mark.sign {
      case .value(let character):
        guard let value = value(character) else {
          throw MissingMeaning(marbles: marbles, what: "value for `\(character)`", where: "values")
        }
        signal = .value(value)
      case .finished: signal = .completion(.finished)
      case .failure:
        guard let error else {
          throw MissingMeaning(marbles: marbles, what: "error for `#`", where: "error")
        }
        signal = .completion(.failure(error))
      }
      if steps.last?.tick == mark.tick {
        steps[steps.count - 1].signals.append(signal)
      } else {
        steps.append(Step(tick: mark.tick, signals: [signal]))
      }
    }
  }

  /// Makes the script of marbles written in the source; traps if a character has no value or the
  /// failure no error.
  static func trusted(
    _ marbles: Marbles, error: Failure?, value: (Character) -> Output?
  ) -> MarbleScript {
    do { return try MarbleScript(marbles, value: value, error: error) } catch {
      fatalError("\(error)")
    }
  }
}

extension MarbleScript: Sendable where Output: Sendable {}
extension MarbleScript.Step: Sendable where Output: Sendable {}
extension MarbleScript.Signal: Sendable where Output: Sendable {}
