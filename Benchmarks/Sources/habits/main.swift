// Measures the habits that the guide "Performance" advises for and against, as ratios.
//
//     swift run -c release habits [WORD ...]

let words = CommandLine.arguments.dropFirst()
let questions =
  Question.chains + Question.generic + Question.subscribers + Question.subjects
  + Question.policies + Question.joins + Question.knobs
for question in questions where words.isEmpty || words.contains(where: question.title.contains) {
  question.answer()
}
