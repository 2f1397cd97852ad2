internal import TermsModel
internal import Testing

/// Programs in which a shared publisher once differed from the reference.
struct FoundTermsTests {
  private func expectNoDifference(_ terms: Terms, _ steps: [Program.Step]) {
    #expect(Program(terms, steps).difference == nil)
  }

  @Test(arguments: [Terms.End.finished, .failed])
  func `a plain sink has no account, whether the publisher starts again or not`(end: Terms.End) {
    expectNoDifference(
      Terms(.sharedUntilReleased, .none, backlog: .unbounded, restart: [end]),
      [.subscribe(0, Program.Guest(.sink))])
  }

  @Test(arguments: [
    Program.Guest(.plain, demand: 0), Program.Guest(.plain, getsDeliveries: true, demand: 0),
    Program.Guest(.joining(.replay, nil), demand: 0),
  ])
  func `D16: under .latest, whoever is slow gets the newest value alone`(guest: Program.Guest) {
    expectNoDifference(
      Terms(.byHand, .latest), [.connect, .send(3), .subscribe(0, guest), .send(4), .request(0, 9)])
  }

  @Test func `B1: a header that was missed at the end stays missed after a clear`() {
    expectNoDifference(
      Terms(.sharedUntilReleased, .sinceFirstKeyframeWithinSix, isHeaded: true),
      [
        .subscribe(0, Program.Guest(.plain, getsDeliveries: true, demand: 0)), .send(16),
        .end(.failed), .clearReplay, .request(0, 9),
      ])
  }

  @Test func `B4: a subscriber at the start of a newcomer does not rejoin there`() {
    expectNoDifference(
      Terms(
        .sharedUntilReleased, .sinceFirstKeyframeWithinSix, isHeaded: true,
        backlog: .size(1, .rejoin)),
      [.subscribe(0, Program.Guest(.plain, demand: 0)), .send(22), .send(25), .send(29)])
  }

  @Test(arguments: [Terms.Replay.none, .latest])
  func `B5: a header from before a subscriber joined stays a replayed one`(replay: Terms.Replay) {
    expectNoDifference(
      Terms(.sharedUntilReleased, replay, isHeaded: true, backlog: .size(1, .rejoin)),
      [
        .subscribe(0, Program.Guest(.sink)), .send(1),
        .subscribe(1, Program.Guest(.plain, getsDeliveries: true, demand: 0)), .send(18), .send(19),
        .request(1, 100),
      ])
  }

  @Test func `B5: a gap of later values is told behind caughtUp, headers or not`() {
    expectNoDifference(
      Terms(
        .sharedUntilReleased, .sinceKeyframeWithinFour, isHeaded: true, backlog: .size(2, .rejoin)),
      [
        .subscribe(0, Program.Guest(.sink)), .send(22), .send(23), .send(29),
        .subscribe(1, Program.Guest(.plain, getsDeliveries: true, demand: 2)), .send(31), .send(32),
        .send(33), .request(1, 3),
      ])
  }

  @Test func `B4, L9: more than count values of this connection are missed, older ones or not`() {
    expectNoDifference(
      Terms(.byHand, .sinceKeyframe),
      [
        .connect, .send(18),
        .subscribe(0, Program.Guest(.joining(.replay, .size(1, .rejoin)), demand: 0)), .reconnect,
        .clearReplay, .send(43), .send(46), .send(47),
      ])
  }

  @Test func `B1, B5: a subscriber that has failed misses nothing more`() {
    expectNoDifference(
      Terms(
        .sharedUntilReleased, .sinceFirstKeyframeWithinSix, isHeaded: true,
        backlog: .size(1, .customError)),
      [
        .subscribe(0, Program.Guest(.plain, getsDeliveries: true, demand: 1)), .send(25),
        .reconnect, .send(36), .clearReplay, .send(54), .request(0, 9),
      ])
  }

  @Test(arguments: [Terms.Replay.custom, .latestByKey])
  func `headers come in addition to the last values of a cache`(replay: Terms.Replay) {
    expectNoDifference(
      Terms(.byHand, replay, isHeaded: true),
      [.connect, .send(6), .send(8), .subscribe(0, Program.Guest(.joining(.last(1), nil)))])
  }

  @Test(arguments: [nil, 5])
  func `B3, D9: a subscriber for which all that waited was dropped gets the end`(unwanted: Int?) {
    expectNoDifference(
      Terms(.sharedUntilReleased, .none, backlog: .cost(3, .dropOldest)),
      [
        .subscribe(0, Program.Guest(.joining(.replay, nil), unwanted: unwanted, demand: 2)),
        .send(38), .send(39), .send(41), .end(.finished),
      ])
  }
}
