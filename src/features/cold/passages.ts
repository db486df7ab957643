/** A passage is what can be read at a glance: long enough to say something, short enough to be found by its words. */
const PASSAGE_CHARACTERS = 1_200

/** A text in passages, cut between lines or words. */
export function* passagesOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + PASSAGE_CHARACTERS
    if (end >= text.length) {
      yield text.slice(from)
      return
    }
    const half = from + PASSAGE_CHARACTERS / 2
    const line = text.lastIndexOf('\n', end)
    const word = text.lastIndexOf(' ', end)
    const cut = line > half ? line + 1 : word > half ? word + 1 : end
    yield text.slice(from, cut)
    from = cut
  }
}
