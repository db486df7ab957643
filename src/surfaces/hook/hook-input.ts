const PLACE = Symbol.for('cairn.hook.input')

/** Standard input, which can be read once: another bundle that takes over in this process finds it here. */
export const hookInput = {
  get text(): string | undefined {
    return (globalThis as { [PLACE]?: string })[PLACE]
  },
  set text(text: string | undefined) {
    ;(globalThis as { [PLACE]?: string | undefined })[PLACE] = text
  },
}
