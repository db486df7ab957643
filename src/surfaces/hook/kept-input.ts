const PLACE = Symbol.for('cairn.hook.input')

/** What came on standard input, which can be read once: whoever takes over in this process, with another bundle, finds it here. */
export const keptInput = {
  get text(): string | undefined {
    return (globalThis as { [PLACE]?: string })[PLACE]
  },
  set text(text: string | undefined) {
    ;(globalThis as { [PLACE]?: string | undefined })[PLACE] = text
  },
}
