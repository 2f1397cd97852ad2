import Testing

@testable import relay

struct VerdictTests {
  private func verdict(_ received: Range<Int>, frames: Int, errors: [String] = []) -> Verdict {
    Verdict(
      received: received, keyframes: [0, 50, 100],
      decoding: Decoding(frameCount: frames, errors: errors))
  }

  @Test func `a start on a keyframe without an error is what is promised`() {
    let verdict = verdict(50..<120, frames: 70)
    #expect(verdict.reason == "starts on a keyframe")
    #expect(!verdict.isFault)
  }

  @Test func `a start on a keyframe with an error is the relay's fault, and tells the error`() {
    let verdict = verdict(50..<120, frames: 69, errors: ["[h264 @ 0x55f1] no frame!", "more"])
    #expect(verdict.reason == "ffmpeg: no frame!")
    #expect(verdict.isFault)
  }

  @Test func `a start between keyframes says which frames cannot be decoded, and why`() {
    let late = verdict(66..<120, frames: 20, errors: ["[h264 @ 0x55f1] no frame!"])
    #expect(late.reason == "joined between keyframes: 66-99 need frames it missed")
    #expect(!late.isFault)
    #expect(
      verdict(99..<120, frames: 20).reason == "joined between keyframes: 99 needs frames it missed")
    #expect(
      verdict(101..<120, frames: 0).reason
        == "joined between keyframes, and none came after")
  }

  @Test func `a file that starts between keyframes says so`() {
    let verdict = Verdict(
      received: 0..<9, keyframes: [4], decoding: Decoding(frameCount: 5, errors: []))
    #expect(verdict.reason == "file starts between keyframes: 0-3 need frames it missed")
  }

  @Test func `a viewer who got nothing`() {
    let verdict = Verdict(received: 0..<0, keyframes: [0], decoding: nil)
    #expect(verdict.reason == "nothing came after it joined")
    #expect(!verdict.isFault)
  }
}
