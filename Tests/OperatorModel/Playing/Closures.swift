/// The closures that a program passes to its operators.
enum Closures {
  /// The initial value of `scan`, and the replacement of `replaceError`.
  ///
  /// The publisher retains it, so its lifetime is not checked.
  static let start = Item(0)
  static let replacement = Item(77)

  static func map(_ item: Item, _ place: Int, _ play: Play) -> Item {
    play.closure(place, item.number)
    return play.item(item.number + 20)
  }

  static func compactMap(_ item: Item, _ place: Int, _ play: Play) -> Item? {
    play.closure(place, item.number)
    return item.number.isMultiple(of: 3) ? nil : play.item(item.number + 30)
  }

  static func filter(_ item: Item, _ place: Int, _ play: Play) -> Bool {
    play.closure(place, item.number)
    return !item.number.isMultiple(of: 4)
  }

  static func scan(_ sum: Item, _ item: Item, _ place: Int, _ play: Play) -> Item {
    play.closure(place, item.number)
    return play.item(sum.number + item.number)
  }

  static func tryReduce(
    _ sum: Item, _ item: Item, _ place: Int, _ play: Play
  ) -> Result<Item, Failed> {
    play.closure(place, item.number)
    return item.number % 5 == 0
      ? .failure(Failed(4000 + item.number)) : .success(play.item(sum.number + item.number))
  }

  static func isSame(_ one: Item, _ two: Item, _ place: Int, _ play: Play) -> Bool {
    play.closure(place, two.number)
    return one.number / 3 == two.number / 3
  }

  static func tryMap(_ item: Item, _ place: Int, _ play: Play) -> Result<Item, Failed> {
    play.closure(place, item.number)
    return item.number % 5 == 0
      ? .failure(Failed(1000 + item.number)) : .success(play.item(item.number + 40))
  }

  static func mapError(_ failed: Failed, _ place: Int, _ play: Play) -> Failed {
    play.closure(place, failed.number)
    return Failed(failed.number + 5000)
  }

  static func overflow(_ place: Int, _ play: Play) -> Failed {
    play.closure(place, 0)
    return Failed(2000 + place)
  }

  /// Waits for a step; returns whether to throw.
  static func work(_ item: Item, _ place: Int, _ play: Play) async -> Bool {
    play.excuse(item)
    let gate = play.newGate()
    play.closure(place, item.number)
    return await play.wait(at: gate)
  }

  static func pair(_ one: Item, _ two: Item, _ place: Int, _ play: Play) -> Item {
    play.closure(place, two.number)
    return play.item(one.number + two.number)
  }

  static func sum(_ items: [Item], _ play: Play) -> Item {
    play.item(items.reduce(0) { $0 + $1.number })
  }
}
